"""Invariant 6: what a caller may not read changes no byte of any reply, over a real server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.domain.grants import Grants
from headwater.domain.query_error import QueryError
from headwater.domain.question import SearchQuestion
from headwater.query.engine import Engine
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.scope_pb2 import Place, Scope
from headwater.rpc.generated.structural_pb2 import StructuralSearchRequest
from support.worlds import Ask, World, all_pages, greps, searches

STORE = '''"""Keeps orders."""
from shop.money import add


class Store:
    """Saves orders to disk."""

    def save(self, order):
        return self.write(add(order.a, order.b))

    def write(self, text):
        return text
'''
SHOP = {
    "shop/store.py": STORE,
    "shop/money.py": 'def add(a, b):\n    """Adds two amounts of money."""\n    return a + b\n',
    "shop/retry.py": 'def retry(call):\n    """Tries again when the network fails."""\n    return call()\n',
    "app.py": "from shop.store import Store\nfrom shop.money import *\n\n"
    "add(1, 2)\nStore().save(None)\nunknown_thing(3)\n",
    "go.mod": "module example.com/shop\n",
    "main.go": 'package main\n\nimport "example.com/shop/keys"\n\nfunc main() { keys.Load(); save() }\n',
    "ice.py": "def one():\n    return 'glacier'\n",
    "sea.py": "def two():\n    return 'fjord'\n",
    "bay.py": "def three():\n    return 'fjord'\n",
    "README.md": "# Shop\nOrders are saved to disk; money is added; a failing network is tried again.\n",
}
LIB = {
    "lib/saver.py": 'class Saver:\n    """Saves anything."""\n\n    def save_all(self, t):\n        return t\n',
    "lib/copy.py": STORE.replace("orders", "parcels"),
}
# Everything that could show: equal names, imports of it and by it, copies, shorter and more names, words, suggestions.
SECRET = {
    "secret/save.py": "def save():\n    return 'orders saved to disk: money, network, retry'\n",
    "secret/store.py": STORE,
    "secret/names.py": "".join(f"def save{n}(orders):\n    return orders\n\n\n" for n in range(300)),
    "secret/words.py": "".join(f'def w{n}():\n    """disk disk network money orders"""\n\n\n' for n in range(120)),
    "secret/ice.py": "".join(f"def ice{n}():\n    return 'glacier glacier {n}'\n\n\n" for n in range(150)),
    "unknown.py": "def unknown_thing(n):\n    return n\n",
    "keys/keys.go": 'package keys\n\nfunc Load() { println("orders") }\n\nfunc save() {}\n',
    "shop/__init__.py": "def add(a, b):\n    return 0\n",
    "shop/child.py": "from shop.store import Store\n\n\nclass Child(Store):\n    def save(self):\n        return 1\n",
}
VAULT = {**SECRET, "vault/store.py": STORE, "shop/store.py": STORE, "shop/money.py": SHOP["shop/money.py"]}


def _allowed(_repo: str, path: str) -> bool:
    return path not in SECRET


CALLER = Grants(repos=frozenset({"shop", "lib"}), path_rule=_allowed, principal="alice")

WORDS = """save add retry Store write order orders disk money network Saver Child w1 save1 sav add_all unknown_thing
Load keys vault secret parcels again anything tried""".split()  # noqa: SIM905
QUERIES = [
    *WORDS,
    "where are orders saved to disk",
    "what happens when the network fails",
    "adding money",
    "the glacier in a fjord",
    "who calls add",
    "usages of Store.save",
    "Store.save",
    "secret/save.py",
    "store.py",
    "shop/__init__.py",
    '"orders"',
    "repo:vault save",
    "repo:shop path:secret save",
    "lang:python save",
    "sym:save",
]


# Words that are names only in what is hidden, a slip that only a hidden name would mend, names of more kinds there.
SHAPES = [
    "calls to save",
    "calls to add inside a function",
    "functions named save",
    "save1 calls",
    "ice7 calls",
    "sav3 calls",
    "retry, orders",
    "classes extending Store",
    "returns of a string literal in w1",
    "unknown_thing calls with a literal as argument",
    "functions that lack a return",
    "calls to println",
]
CALLS = '{"version": 1, "target": {"construct": "call"}}'
METHODS = '{"steps": [{"op": "withNodeByTypeFilter", "args": ["METHOD_DECLARATION"]}]}'


def asks() -> dict[str, Ask]:
    asks: dict[str, Ask] = {f"search {q}": searches(q) for q in QUERIES}
    asks |= {f"search all refs {q}": searches(q, scope=Scope(refs=["*"])) for q in ("save", "money on disk")}
    for word in [*WORDS, "Store.save", "sve", "sav", "Save", "x", "Vault.save"]:
        asks[f"definitions {word}"] = _definitions(word)
        asks[f"usages {word}"] = _usages(word)
        asks[f"context {word}"] = lambda stub, q=word: [stub.GetContext(pb.GetContextRequest(query=q, max_tokens=900))]
    asks["context in words"] = lambda stub: [stub.GetContext(pb.GetContextRequest(query="orders saved to disk"))]
    for path, line, col in [("app.py", 4, 1), ("app.py", 6, 1), ("main.go", 5, 20), ("secret/save.py", 1, 5)]:
        asks[f"at {path}:{line}"] = _at(Place(path=path, line=line, col=col))
    asks |= {f"grep {p}": greps(p) for p in ("save", "orders", "def ", "nowhere at all")}
    asks["grep regex"] = greps(r"def \w+\(", regex=True)
    for path in ("", "shop", "secret", "secret/save.py", "keys", "nothing/here", "vault"):
        asks[f"files {path}"] = _files(path)
    for scope in (Scope(), Scope(repos=["vault"]), Scope(repos=["shop"]), Scope(refs=["nope"]), Scope(refs=["*"])):
        asks[f"freshness {scope}"] = lambda stub, s=scope: [stub.GetFreshness(pb.GetFreshnessRequest(scope=s))]
        asks[f"views {scope}"] = lambda stub, s=scope: [stub.ListViews(pb.ListViewsRequest(scope=s))]
    for words in SHAPES:
        asks[f"shape {words}"] = _shape(words=words)
        asks[f"shape, limited {words}"] = _shape(words=words, limit=1)
    asks["shape, query"] = _shape(query_json=CALLS)
    asks["shape, query, all refs"] = _shape(query_json=CALLS, scope=Scope(refs=["*"]))
    asks["shape, query in vault"] = _shape(query_json=CALLS, scope=Scope(repos=["vault"]))
    asks["shape, flowgraph"] = _shape(flowgraph_json=METHODS)
    asks["shape, exact"] = _shape(words="calls to save", exact=True)
    asks["outcome"] = lambda stub: [
        stub.ReportOutcome(pb.ReportOutcomeRequest(query="q", repo="vault", outcome=pb.OUTCOME_ACCEPTED))
    ]
    return asks


def _shape(**asked: Any) -> Ask:
    request = StructuralSearchRequest(**asked)
    return lambda stub: list(stub.StructuralSearch(request))


def _definitions(symbol: str) -> Ask:
    request = pb.FindDefinitionsRequest
    return lambda stub: all_pages(lambda page: stub.FindDefinitions(request(symbol=symbol, page=page)), 5)


def _usages(symbol: str) -> Ask:
    return lambda stub: list(stub.FindUsages(pb.FindUsagesRequest(symbol=symbol)))


def _at(place: Place) -> Ask:
    return lambda stub: [
        stub.FindDefinitions(pb.FindDefinitionsRequest(place=place)),
        *stub.FindUsages(pb.FindUsagesRequest(place=place)),
    ]


def _files(path: str) -> Ask:
    return lambda stub: all_pages(lambda page: stub.GetFileStatus(pb.GetFileStatusRequest(path=path, page=page)), 2)


ASKS = asks()


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[World, World]]:
    plain = World(tmp_path / "plain", {"shop": SHOP, "lib": LIB})
    full = World(tmp_path / "full", {"vault": VAULT, "shop": {**SECRET, **SHOP}, "lib": LIB})
    yield plain, full
    plain.close()
    full.close()


def test_f14_a_forbidden_repository_and_path_change_no_byte_of_any_reply(worlds: tuple[World, World]) -> None:
    plain, full = (world.replies(CALLER, ASKS) for world in worlds)
    differing = [name for name in ASKS if plain[name] != full[name]]
    assert differing == []


def test_the_comparison_sees_a_difference(worlds: tuple[World, World]) -> None:
    everything = Grants()
    plain, full = (world.replies(everything, ASKS) for world in worlds)
    same = {name for name in ASKS if plain[name] == full[name]}
    assert len(same) < len(ASKS) / 4


def test_f14_a_page_token_outlives_no_revocation(worlds: tuple[World, World]) -> None:
    engine = Engine(worlds[1].parts)
    before = Grants(principal="alice")
    first = engine.search(SearchQuestion(query="orders saved to disk", limit=2), before)
    assert first.next_page_token
    second = SearchQuestion(query="orders saved to disk", limit=50, page_token=first.next_page_token)
    assert any(r.path in SECRET for r in engine.search(second, before).results)
    try:
        shown = engine.search(second, CALLER).results
    except QueryError:
        shown = ()
    assert not any(r.path in SECRET or r.repo == "vault" for r in shown)
    engine.close()


def test_f14_what_others_ask_changes_nothing(worlds: tuple[World, World]) -> None:
    """A server that has just answered the same question to somebody who may read everything."""
    full = worlds[1]
    alone = full.replies(CALLER, ASKS)
    with full.served(CALLER, Grants(principal="root")) as (caller, root):
        for name, ask in ASKS.items():
            full.reply(root, ask)
            assert full.reply(caller, ask) == alone[name], name
