"""What callers ask: any question is answered or refused by name, and leaves the service as it was."""

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from fuzz.target import Target
from fuzz.texts import any_text, sound_text
from headwater.clients.static_model import StaticModel
from headwater.domain.answer import QueryKind
from headwater.domain.query_error import QueryError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FilesQuestion,
    FreshnessQuestion,
    GrepQuestion,
    Place,
    Question,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.query.engine import Engine, Parts
from headwater.query.glob import PathFilter
from headwater.query.retrieval import VectorSide
from headwater.query.syntax import parse_query
from headwater.structural.answering import StructuralAnswering
from headwater.structural.flowgraph.cache import FolderGraphCache
from support.small_index import SmallIndex

FILES = {
    "shop/store.py": "class Store:\n    def save(self, order):\n        write(order)\n\n\ndef write(x):\n    pass\n",
    "shop/Finder.java": 'class Finder {\n  String find(String name) { while (go) { find(name); } return name; }\n}\n',
    "a b/cr.txt": "one two\r\nthree x\r\n\r\nfünf\x0csechs\n漢字 ſ K",
    "e\u0301.js": "console.log(`a ${b}`)\nfoo.bar(1)\n",
    "é.go": "package a\n\nfunc F() { mu.Lock() }\n",
}  # fmt: skip
_METHODS = {
    SearchQuestion: "search",
    DefinitionsQuestion: "definitions",
    UsagesQuestion: "usages",
    GrepQuestion: "grep",
    ContextQuestion: "context",
    FilesQuestion: "files",
    FreshnessQuestion: "views",
    StructuralQuestion: "structural",
}
_BY_NAME = {kind.__name__: kind for kind in _METHODS}


@cache
def engine() -> Engine:
    """One for the whole run, over a small index."""
    folder, model = Path(tempfile.mkdtemp(prefix="headwater-fuzz-")), StaticModel()
    index = SmallIndex(folder, model)
    index.commit(FILES)
    vectors, structural = VectorSide(model, index.vectors), StructuralAnswering(FolderGraphCache(folder / "graphs"))
    return Engine(Parts(reader=index.catalog, vectors=vectors, structural=structural, page_secret=b"s"))


_numbers = st.one_of(st.integers(-3, 600), st.integers(-(2**31), 2**31 - 1))
_some = st.lists(any_text, max_size=3).map(tuple)
_repos = st.one_of(st.just(()), st.just(("shop",)), _some)
_fields: dict[type[Question], dict[str, st.SearchStrategy[Any]]] = {
    SearchQuestion: {"query": any_text, "mode": st.sampled_from([None, *(kind.value for kind in QueryKind)])},
    DefinitionsQuestion: {"symbol": any_text},
    UsagesQuestion: {"symbol": any_text, "kinds": _some},
    GrepQuestion: {
        "pattern": any_text,
        "regex": st.booleans(),
        "ignore_case": st.booleans(),
        "multiline": st.booleans(),
    },
    ContextQuestion: {"query": any_text, "max_tokens": _numbers},
    FilesQuestion: {"path": any_text},
    FreshnessQuestion: {},
    StructuralQuestion: {"words": any_text, "query": any_text, "flowgraph": any_text, "semgrep": any_text},
}
_places = st.one_of(st.none(), st.fixed_dictionaries({"path": any_text, "line": _numbers, "col": _numbers}))


@st.composite
def _questions(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    kind = draw(st.sampled_from(list(_METHODS)))
    given: dict[str, Any] = {name: draw(values) for name, values in _fields[kind].items()}
    if kind is StructuralQuestion:
        chosen = draw(st.sampled_from(sorted(given)))
        given = {chosen: given[chosen]}
    if kind in (DefinitionsQuestion, UsagesQuestion):
        given["place"] = draw(_places)
    shared = {"repos": _repos, "refs": _some, "path_globs": _some, "languages": _some, "page_token": any_text}
    given |= {name: draw(values) for name, values in shared.items() if draw(st.booleans())}
    return kind.__name__, given | {"limit": draw(_numbers)}


def check_question(asked: tuple[str, dict[str, Any]]) -> None:
    name, given = asked
    kind = _BY_NAME[name]
    place = {"place": Place(**given["place"])} if given.get("place") else {"place": None} if "place" in given else {}
    mode = {"mode": QueryKind(given["mode"])} if given.get("mode") else {}
    question = kind(**(given | place | mode))
    try:
        msgspec.json.encode(getattr(engine(), _METHODS[kind])(question))
    except QueryError:
        return


def check_syntax(query: str) -> None:
    parsed = parse_query(query)
    assert parse_query(query) == parsed


def check_glob(given: tuple[str, str]) -> None:
    glob, path = given
    try:
        PathFilter([glob]).admits(path)
    except QueryError:
        return


TARGETS = (
    Target("questions", _questions(), check_question, 120),
    Target("query_syntax", any_text, check_syntax, 100),
    Target("globs", st.tuples(sound_text, sound_text), check_glob, 100),
)
