"""Several views in one question, on both catalogs: together what each answers alone, each result with its commit."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwater.domain.answer import Answer, Result
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FilesQuestion,
    FreshnessQuestion,
    GrepQuestion,
    SearchQuestion,
    UsagesQuestion,
)
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from support.catalogs import NewStore
from support.git_repo import Files, RepoBuilder
from support.rig import MODEL, Rig, received

MAIN, TOPIC, OTHER, TAG = "refs/heads/main", "refs/heads/topic", "refs/heads/feature/other", "refs/tags/v1"
LONG = b"".join(b"def helper_%d(value):\n    return save(value, %d)\n\n\n" % (n, n) for n in range(60))
FILES: Files = {
    "shop/store.py": b"def save(value, number):\n    return value\n\n\n" + LONG,
    "shop/use.py": b"from shop.store import save\n\n\ndef checkout(order):\n    return save(order, 1)\n",
    "notes.txt": b"orders are saved to disk\n",
}
CHANGED: Files = {**FILES, "shop/use.py": FILES["shop/use.py"] + b"\n\ndef cancel(order):\n    return save(order, 2)\n"}  # type: ignore[operator]
MOVED: Files = {
    "shop/store.py": LONG.replace(b"helper_7(", b"helper_seven(") + b"def save(value, number):\n    return number\n",
    "app/use.py": FILES["shop/use.py"],
}
Ask = Callable[[Engine, tuple[str, ...]], Answer]
ASKS: dict[str, Ask] = {
    "search": lambda e, refs: e.search(SearchQuestion(query="save", refs=refs, limit=400)),
    "in words": lambda e, refs: e.search(SearchQuestion(query="where are orders saved to disk", refs=refs, limit=400)),
    "definitions": lambda e, refs: e.definitions(DefinitionsQuestion(symbol="save", refs=refs, limit=400)),
    "usages": lambda e, refs: e.usages(UsagesQuestion(symbol="save", refs=refs)),
    "grep": lambda e, refs: e.grep(GrepQuestion(pattern="save(value, 7)", refs=refs, limit=400)),
    "regular expression": lambda e, refs: e.grep(
        GrepQuestion(pattern=r"helper_\w+\(", regex=True, refs=refs, limit=400)
    ),
}
EXACT = ("definitions", "usages", "grep", "regular expression")


@pytest.fixture
def indexed(new_store: NewStore, tmp_path: Path) -> Iterator[tuple[Engine, dict[str, str]]]:
    builder = RepoBuilder(tmp_path / "r.git")
    (tmp_path / "index").mkdir()
    store = new_store(tmp_path / "index")
    rig = Rig(tmp_path / "index", builder.path, store=store)
    commits = {MAIN: builder.commit(FILES, MAIN), TOPIC: builder.commit(CHANGED, TOPIC)}
    commits |= {OTHER: builder.commit(MOVED, OTHER), TAG: commits[MAIN]}
    builder.point(TAG, commits[MAIN])
    rig.run([received(ref) for ref in commits])
    detached = builder.commit({**FILES, "gone.py": b"def gone():\n    return save(0, 0)\n"}, "refs/heads/gone")
    rig.run([received(detached)])
    engine = Engine(Parts(reader=rig.catalog, vectors=VectorSide(MODEL, rig.vectors)))
    yield engine, {**commits, detached: detached}
    engine.close()
    rig.close()
    store.close()


def _places(results: tuple[Result, ...]) -> set[tuple[str, str, str, int, int]]:
    return {(r.ref, r.commit, r.path, r.range.start_line, r.range.start_col) for r in results}


def test_several_views_answer_what_each_answers_alone(indexed: tuple[Engine, dict[str, str]]) -> None:
    engine, commits = indexed
    for name in EXACT:
        alone = {ref: _places(ASKS[name](engine, (ref,)).results) for ref in commits}
        assert all(alone.values()), name
        for refs in ((MAIN, TOPIC), (OTHER, TOPIC), tuple(commits)):
            together = ASKS[name](engine, refs)
            assert _places(together.results) == set().union(*(alone[ref] for ref in refs)), (name, refs)
            assert {(v.ref, v.commit) for v in together.as_of} == {(ref, commits[ref]) for ref in refs}
        everything = ASKS[name](engine, ("*",))
        assert _places(everything.results) == set().union(*alone.values()), name


def test_ranked_answers_show_each_views_own_text(indexed: tuple[Engine, dict[str, str]]) -> None:
    engine, commits = indexed
    for name in ("search", "in words"):
        for ref in commits:
            found = ASKS[name](engine, (ref,)).results
            assert found
            assert {(r.ref, r.commit) for r in found} == {(ref, commits[ref])}
        assert {r.ref for r in ASKS[name](engine, tuple(commits)).results} <= commits.keys()
    seven = engine.search(SearchQuestion(query="helper_seven", refs=("*",))).results[0]
    assert (seven.ref, seven.path) == (OTHER, "shop/store.py")
    context = engine.context(ContextQuestion(query="cancel", refs=(TOPIC, OTHER)))
    assert {i.result.ref for i in context.items if i.result.symbol == "cancel"} == {TOPIC}
    files = engine.files(FilesQuestion(refs=(TOPIC, OTHER), limit=400)).files
    assert {(f.ref, f.path) for f in files} == {(TOPIC, p) for p in CHANGED} | {(OTHER, p) for p in MOVED}


def test_a_ref_is_named_in_full_in_short_or_by_its_commit(indexed: tuple[Engine, dict[str, str]]) -> None:
    engine, commits = indexed
    detached = next(ref for ref in commits if not ref.startswith("refs/"))
    for spelled, ref in (
        ("topic", TOPIC),
        ("feature/other", OTHER),
        ("v1", TAG),
        (detached[:9], detached),
        (MAIN, MAIN),
    ):
        for name, ask in ASKS.items():
            assert {v.ref for v in ask(engine, (spelled,)).as_of} == {ref}, (spelled, name)
        assert [v.ref for v in engine.freshness(FreshnessQuestion(refs=(spelled,))).views] == [ref]
    with pytest.raises(NotFoundError):
        engine.grep(GrepQuestion(pattern="x", refs=("nowhere",)))
