"""Random lives of a catalog against a plain model: after any sequence it answers as a fresh one of the same trees."""

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.domain.merkle import recompute_root
from headwater.domain.tree import EMPTY_TREE, Mode
from headwater.domain.view import ViewKey
from headwater.stores.catalog import Base
from headwater.stores.index_reader import Scope
from support.catalogs import MAIN, TOPIC, BothSides, CatalogRig, NewStore, SqliteStore
from support.git_repo import Files
from support.sample_documents import sample_write

CONTENTS = (
    b"def alpha(x):\n    return beta(x)\n",
    b"def alpha(x):\n    return beta(x) + _local(1)\n",
    b"from pkg import alpha as renamed\n\nVALUE = renamed(3)\n",
    b"class Gamma:\n    def run(self):\n        return self.run\n",
    b"",
    b"\xff\0",
    "# 重试\ndef 名字():\n    return alpha\n".encode() * 9,
)
NAMES = ["alpha", "beta", "renamed", "Gamma", "run", "名字", "self"]

OTHER = ViewKey("demo", "refs/heads/other")

contents = st.one_of(
    st.sampled_from(CONTENTS),
    st.just((int(Mode.EXECUTABLE), CONTENTS[0])),
    st.just((int(Mode.SYMLINK), b"a.py")),
    st.just((int(Mode.SUBMODULE), b"3" * 40)),
)
paths = st.sampled_from(["a.py", "b.py", "pkg/a.py", "pkg/sub/a.py", "pkg/sub/b.py", "pkg.py", "z/\uefff"])
trees: st.SearchStrategy[Files] = st.dictionaries(paths, contents, max_size=5)
views = st.sampled_from([MAIN, MAIN, TOPIC, OTHER])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("open"), views, trees),
        st.tuples(st.just("push"), views, trees),
        st.tuples(st.just("push"), views, trees),
        st.tuples(st.just("push"), st.just(MAIN), trees),
        st.tuples(st.just("over"), st.sampled_from([TOPIC, OTHER]), trees),
        st.tuples(st.just("over"), st.sampled_from([TOPIC, OTHER]), trees),
        st.tuples(st.just("complete"), views, st.booleans()),
        st.tuples(st.just("park"), views, st.booleans()),
        st.tuples(st.just("replay"), views, st.booleans()),
        st.tuples(st.just("delete"), views, st.booleans()),
        st.tuples(st.just("collect"), st.integers(1, 3), st.booleans()),
        st.tuples(st.just("pin"), views, st.booleans()),
    ),
    min_size=4,
    max_size=12,
)


@dataclass
class Model:
    """What the catalog should hold."""

    opened: dict[ViewKey, Files] = field(default_factory=dict)
    published: dict[ViewKey, Files] = field(default_factory=dict)
    pinned: list[tuple[Scope, Files]] = field(default_factory=list)
    seen: Files = field(default_factory=dict)


@given(sequence=steps)
@settings(max_examples=20, deadline=None)
def test_any_life_ends_like_a_fresh_index(new_store: NewStore, sequence: list[tuple[str, object, object]]) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        store = new_store(Path(folder) / "store")
        stack.callback(store.close)
        rig, model = CatalogRig(store(), Path(folder)), Model()
        with ExitStack() as pins:
            for action, subject, detail in sequence:
                _apply(rig, model, pins, action, subject, detail)
                _check_manifests(rig, model)
            for scope, files in model.pinned:
                assert _answers(rig.catalog, scope) == _fresh(files)
        for view, files in model.published.items():
            with rig.pin([view]) as scope:
                assert _answers(rig.catalog, scope) == _fresh(files)
        _check_collected(rig, model)


def _apply(rig: CatalogRig, model: Model, pins: ExitStack, action: str, subject: object, detail: object) -> None:
    if action == "collect":
        assert isinstance(subject, int)
        rig.catalog.collect(subject)
        return
    assert isinstance(subject, ViewKey)
    if action in ("open", "push", "over"):
        assert isinstance(detail, dict)
        main = rig.catalog.view(MAIN)
        if action == "over" and main is not None and main.published:
            rig.open_over(detail, subject, Base(MAIN, main.published))
        else:
            rig.open(detail, subject)
        model.opened[subject] = detail
        if action != "open":
            _complete(rig, model, subject, vectors_first=False)
    elif action == "complete" and subject in model.opened:
        _complete(rig, model, subject, bool(detail))
    elif action == "park" and subject in model.opened:
        rig.catalog.put_documents([sample_write(p, c, parked=True) for p, c in model.opened[subject].items()])
    elif action == "replay":
        rig.put(model.seen)
    elif action == "delete":
        rig.catalog.delete_view(subject)
        model.opened.pop(subject, None)
        model.published.pop(subject, None)
    elif action == "pin" and subject in model.published:
        model.pinned.append((pins.enter_context(rig.pin([subject])), model.published[subject]))


def _complete(rig: CatalogRig, model: Model, view: ViewKey, vectors_first: bool) -> None:
    files = model.opened[view]
    state = rig.catalog.view(view)
    assert state is not None
    waiting = rig.catalog.missing(view, state.opened, 1 << 31)
    assert set(waiting.paths) <= set(files)
    wanted = {p: files[p] for p in {*waiting.paths, *waiting.unembedded, *rig.catalog.parked(view, state.opened)}}
    if vectors_first:
        hashes = [c.content_hash for p, f in wanted.items() for c in sample_write(p, f).document.chunks]
        rig.catalog.mark_embedded(hashes)
    rig.put(wanted)
    waiting = rig.catalog.missing(view, state.opened, 10)
    assert (waiting.paths, waiting.unembedded) == ((), ())
    assert rig.catalog.publish(view, state.opened, True, 5.0)
    model.published[view] = files
    model.seen.update(files)
    with rig.pin([view]) as scope:
        _answers(rig.catalog, scope)  # so that whatever a reader keeps is there when the view moves on


def _check_manifests(rig: CatalogRig, model: Model) -> None:
    assert {s.view for s in rig.catalog.views()} == set(model.opened)
    for view, files in model.opened.items():
        state = rig.catalog.view(view)
        assert state is not None
        oid = str(rig.git.tree(files)) if files else EMPTY_TREE
        assert rig.catalog.root(view, state.opened) == oid
        assert recompute_root(rig.catalog.tree_reader(view, state.opened)) == oid


def _check_collected(rig: CatalogRig, model: Model) -> None:
    """Without pins, what stays is what the views' newest trees hold."""
    rig.catalog.collect(1)
    assert rig.catalog.unreferenced() == 0
    rig.catalog.collect(1)
    for view in list(model.opened):
        rig.catalog.delete_view(view)
    rig.catalog.collect(1)
    assert rig.catalog.names_containing("a", 10) == []
    hashes = [c.content_hash for p, f in model.seen.items() for c in sample_write(p, f).document.chunks]
    assert rig.catalog.orphan_hashes(hashes) == hashes


def _answers(catalog: BothSides, scope: Scope) -> list[object]:
    """Everything that a caller can see, ids left out."""
    rows = catalog.files(scope)
    documents = [d for f in rows for d in catalog.document_at(scope, f.path)]
    return [
        rows,
        [(catalog.document(d.document_id), catalog.text(d.document_id)) for d in documents],
        [(r.document.path, r.index, r.symbol) for r in catalog.symbols_named(scope, NAMES, 100)],
        [(r.document.path, r.reference) for r in catalog.references_named(scope, NAMES)],
        [d.path for d in catalog.documents_importing(scope, "alpha")],
        [(r.document.path, r.chunk, r.score) for r in catalog.lexical(scope, ["alpha", "return", "run"], 50)],
        catalog.chunk_hashes(scope, 1000),
        [d.path for d in catalog.documents_containing(scope, ["return"])],
    ]


def _fresh(files: Files) -> list[object]:
    """What a fresh index on SQLite answers, whichever database is tested: both must answer alike."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "store")
        rig = CatalogRig(store(), Path(folder))
        try:
            rig.push(files)
            with rig.pin() as scope:
                return _answers(rig.catalog, scope)
        finally:
            store.close()
