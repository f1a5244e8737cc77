"""A private view exists for its owner alone: for others no byte of any reply tells of it, over a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.view import private_ref
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.scope_pb2 import Scope
from integration.query.test_worlds import ASKS, LIB, SECRET, SHOP
from support.worlds import Ask, World, searches

LABEL = "shop-1a2b3c"
PRIVATE = private_ref("user:bob", LABEL)
EDITED = {**SECRET, **SHOP, "app.py": SHOP["app.py"].replace("add(1, 2)", "add(2, 1)\nadd(3, 4)")}
BOB, ALICE = Grants(principal="user:bob"), Grants(principal="user:alice")
NAMING: dict[str, Ask] = {
    f"{kind} {ref}": ask
    for ref in (PRIVATE, LABEL, "private", PRIVATE[:12])
    for kind, ask in {
        "search": searches("save", scope=Scope(refs=[ref])),
        "search in the query": searches(f"ref:{ref} save"),
        "views": lambda stub, r=ref: [stub.ListViews(pb.ListViewsRequest(scope=Scope(refs=[r])))],
        "freshness": lambda stub, r=ref: [
            stub.GetFreshness(pb.GetFreshnessRequest(scope=Scope(repos=["shop"], refs=[r])))
        ],
        "files": lambda stub, r=ref: [stub.GetFileStatus(pb.GetFileStatusRequest(scope=Scope(refs=[r])))],
    }.items()
}


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[World, World]]:
    plain = World(tmp_path / "plain", {"shop": SHOP, "lib": LIB})
    full = World(tmp_path / "full", {})
    full.index.commit({**EDITED, "a.py": "x = 1\n"}, "shop", PRIVATE)
    full.index.commit(SHOP, "shop")
    full.index.commit(EDITED, "shop", PRIVATE)
    full.index.commit(LIB, "lib")
    full.index.commit(SECRET, "lib", private_ref("user:bob", "lib-1a2b3c"))
    full.index.commit(SECRET, "only-private", private_ref("user:bob", "other-1a2b3c"))
    yield plain, full
    plain.close()
    full.close()


@pytest.mark.parametrize(
    "caller",
    [
        ALICE,
        Grants(repos=frozenset({"shop", "lib"}), principal="user:alice"),
        Grants(repos=frozenset({"shop", "lib"}), path_rule=lambda _r, p: p != "ice.py", principal="anyone"),
        ALLOW_ALL,
        Grants(principal="bob"),
        Grants(principal="user:bob "),
    ],
    ids=["every repository", "two repositories", "a path denied", "nobody in particular", "the name alone", "nearly"],
)
def test_f14_a_private_view_changes_no_byte_of_any_reply_to_others(worlds: tuple[World, World], caller: Grants) -> None:
    asks = {**ASKS, **NAMING}
    plain, full = (world.replies(caller, asks) for world in worlds)
    assert [name for name in asks if plain[name] != full[name]] == []


def test_f14_what_its_owner_asks_changes_nothing_for_others(worlds: tuple[World, World]) -> None:
    asks = {**ASKS, **NAMING}
    full = worlds[1]
    alone = full.replies(ALICE, asks)
    with full.served(ALICE, BOB) as (alice, bob):
        for name, ask in asks.items():
            full.reply(bob, ask)
            assert full.reply(alice, ask) == alone[name], name


def test_its_owner_sees_it_by_name_and_among_all_but_never_as_a_default(worlds: tuple[World, World]) -> None:
    with worlds[1].served(BOB) as (bob,):
        listed = bob.ListViews(pb.ListViewsRequest()).views
        assert PRIVATE in {v.ref for v in listed}
        assert not any(v.default for v in listed if v.ref == PRIVATE)
        for ref in (PRIVATE, LABEL):
            found = bob.Grep(pb.GrepRequest(pattern="add(3, 4)", scope=Scope(refs=[ref])))
            assert [(r.ref, r.path) for r in found.results] == [(PRIVATE, "app.py")]
        everywhere = bob.Grep(pb.GrepRequest(pattern="add(1, 2)", scope=Scope(refs=["*"])))
        assert [r.ref for r in everywhere.results] == ["refs/heads/main"]
        assert not bob.Grep(pb.GrepRequest(pattern="add(3, 4)")).results
