"""One suite for every catalog: a branch over a base answers as if it stood alone, and keeps only what differs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.domain.merkle import recompute_root
from headwater.domain.tree import Mode
from headwater.domain.view import ViewKey
from headwater.stores.catalog import Base, Missing, StaleGenerationError
from support.catalogs import MAIN, TOPIC, BothSides, CatalogRig, NewStore, Store
from support.git_repo import Files
from support.sample_documents import sample_write

A = b"def alpha(x):\n    return beta(x)\n"
A2 = b"def alpha(x):\n    return gamma(x)\n"
B = b"from pkg.a import alpha as renamed\n\nVALUE = renamed(3)\n"
C = b"class Gamma:\n    def run(self):\n        return self.run\n"
FILES: Files = {"a.py": A, "pkg/b.py": B, "pkg/deep/er/c.py": C, "pkg/deep/d.py": C, "link": (int(Mode.SYMLINK), b"a")}
BRANCHES: list[Files] = [
    FILES,
    {**FILES, "a.py": A2},
    {**FILES, "new/x.py": A2, "pkg/deep/new.py": B},
    {p: c for p, c in FILES.items() if not p.startswith("pkg/deep")},
    {"pkg": A, "a.py/inside": B},
    {**FILES, "a.py": (int(Mode.EXECUTABLE), A), "link": A},
    {"other.py": C},
    {},
]
LITERALS = [
    ["gamma(x)"],
    ["f90(", "f91("],
    ["f91(first, second):\n    return g91("],
    ["f90(other", "g3("],
    ["f90(first"],
]
NAMES = ["alpha", "beta", "gamma", "Gamma", "renamed", "run"]


@pytest.fixture
def store(new_store: NewStore, tmp_path: Path) -> Iterator[Store]:
    made = new_store(tmp_path / "store")
    yield made
    made.close()


@pytest.fixture
def rig(store: Store, tmp_path: Path) -> CatalogRig:
    return CatalogRig(store(), tmp_path)


@pytest.fixture
def base(rig: CatalogRig) -> Base:
    return Base(MAIN, rig.push(FILES))


def answers(catalog: BothSides, view: ViewKey) -> list[object]:
    """What a caller sees of a view, ids left out."""
    with catalog.pin([view]) as scope:
        rows = catalog.files(scope)
        return [
            rows,
            [catalog.files(scope, path) for path in ("pkg", "pkg/deep", "a.py", "new")],
            [[d.path for d in catalog.document_at(scope, f.path)] for f in rows],
            [(r.document.path, r.index, r.symbol) for r in catalog.symbols_named(scope, NAMES, 100)],
            [(r.document.path, r.reference) for r in catalog.references_named(scope, NAMES)],
            [d.path for d in catalog.documents_importing(scope, "alpha")],
            [(r.document.path, r.chunk, r.score) for r in catalog.lexical(scope, ["alpha", "return", "run"], 50)],
            catalog.chunk_hashes(scope, 1000),
            [d.path for d in catalog.documents_containing(scope, ["return"])],
            [[d.path for d in catalog.documents_containing(scope, asked)] for asked in LITERALS],
            [(r.document.path, r.chunk) for r in catalog.chunks_of(scope, catalog.chunk_hashes(scope, 1000) or [])],
            scope[0].tree,
        ]


def check(rig: CatalogRig, files: Files, alone: ViewKey, view: ViewKey = TOPIC) -> None:
    """The branch equals a view of the same tree that stands by itself."""
    generation = rig.push(files, alone)
    state = rig.catalog.view(view)
    assert state is not None
    assert rig.catalog.overlay(alone) is None
    assert answers(rig.catalog, view) == answers(rig.catalog, alone)
    assert rig.catalog.root(view, state.published) == state.tree
    assert recompute_root(rig.catalog.tree_reader(view, state.published)) == state.tree
    assert rig.catalog.file_counts(view, state.published) == rig.catalog.file_counts(alone, generation)
    total = rig.catalog.chunk_counts(alone, 0, generation)
    assert rig.catalog.chunk_counts(view, 0, state.published) == total
    rig.catalog.delete_view(alone)


@pytest.mark.parametrize("files", BRANCHES)
def test_a_branch_equals_a_view_of_its_tree(rig: CatalogRig, base: Base, files: Files) -> None:
    rig.push_over(files, TOPIC, base)
    check(rig, files, ViewKey("demo", "alone"))
    overlay = rig.catalog.overlay(TOPIC)
    assert overlay is not None
    assert overlay.base == base
    assert (overlay.places == 0) == (files == FILES)


def test_a_branch_that_moves_stays_exact_and_small(rig: CatalogRig, base: Base) -> None:
    rig.push_over(BRANCHES[1], TOPIC, base)
    for files in [*BRANCHES, BRANCHES[3], BRANCHES[1]]:
        rig.push(files, TOPIC)
        check(rig, files, ViewKey("demo", "alone"))
    overlay = rig.catalog.overlay(TOPIC)
    assert overlay is not None
    assert overlay.places == 1
    rig.push(FILES, TOPIC)
    assert rig.catalog.overlay(TOPIC) is not None
    assert rig.catalog.overlay(TOPIC).places == 0  # type: ignore[union-attr]


def test_a_branch_keeps_its_base_while_the_base_moves_on(rig: CatalogRig, base: Base) -> None:
    branch = {**FILES, "a.py": A2}
    rig.push_over(branch, TOPIC, base)
    for n in range(4):
        rig.push({"pkg/b.py": b"def other%d(): pass\n" % n, "link": FILES["link"]})
        rig.catalog.collect(1)
        check(rig, branch, ViewKey("demo", "alone"))
    assert [s.view for s in rig.catalog.views()] == [MAIN, TOPIC]
    rig.catalog.delete_view(MAIN)
    rig.catalog.collect(1)
    check(rig, branch, ViewKey("demo", "alone"))
    rig.push({**branch, "z.py": B}, TOPIC)
    check(rig, {**branch, "z.py": B}, ViewKey("demo", "alone"))
    rig.catalog.delete_view(TOPIC)
    rig.catalog.collect(1)
    assert rig.catalog.unreferenced() == 0
    assert rig.catalog.names_containing("a", 10) == []


def test_what_came_and_went_between_held_generations_is_collected(rig: CatalogRig, base: Base) -> None:
    rig.push_over({**FILES, "a.py": A2}, TOPIC, base)
    passing = b"def passing(): pass\n"
    rig.push({**FILES, "pkg/b.py": passing})
    rig.push(FILES)
    hashes = [c.content_hash for c in sample_write("pkg/b.py", passing).document.chunks]
    rig.catalog.collect(1)
    assert rig.catalog.orphan_hashes(hashes) == hashes
    check(rig, {**FILES, "a.py": A2}, ViewKey("demo", "alone"))


def test_a_branch_is_laid_over_another_base(rig: CatalogRig, base: Base) -> None:
    far: Files = {f"src/f{n}.py": b"def f%d(): return %d\n" % (n, n) for n in range(30)}
    rig.push_over({**far, "a.py": A2}, TOPIC, base)
    newer = Base(MAIN, rig.push(far))
    with rig.pin([TOPIC]) as before:
        rig.push_over({**far, "a.py": A2}, TOPIC, newer)
        overlay = rig.catalog.overlay(TOPIC)
        assert overlay is not None
        assert (overlay.base, overlay.places) == (newer, 1)
        rig.catalog.collect(1)
        assert [f.path for f in rig.catalog.files(before)] == sorted([*far, "a.py"])
    check(rig, {**far, "a.py": A2}, ViewKey("demo", "alone"))
    rig.catalog.collect(1)
    assert rig.catalog.unreferenced() == 0
    check(rig, {**far, "a.py": A2}, ViewKey("demo", "alone"))


def test_a_view_that_stood_alone_is_laid_over_a_base(rig: CatalogRig, base: Base) -> None:
    rig.push({**FILES, "a.py": A2}, TOPIC)
    rig.push_over({**FILES, "a.py": A2}, TOPIC, base)
    check(rig, {**FILES, "a.py": A2}, ViewKey("demo", "alone"))
    rig.catalog.collect(1)
    overlay = rig.catalog.overlay(TOPIC)
    assert overlay is not None
    assert overlay.places == 1


def test_only_a_view_that_stands_by_itself_is_a_base(rig: CatalogRig, base: Base) -> None:
    rig.push_over(FILES, TOPIC, base)
    for wrong in (Base(TOPIC, 1), Base(MAIN, 9), Base(ViewKey("demo", "none"), 1)):
        with pytest.raises(StaleGenerationError, match="choose the base again"):
            rig.open_over(FILES, ViewKey("demo", "x"), wrong)
    assert [s.view for s in rig.catalog.views()] == [MAIN, TOPIC]


def test_a_branch_waits_for_what_its_base_lacks(rig: CatalogRig) -> None:
    generation = rig.open(FILES)
    rig.put(FILES, embedded=False)
    rig.catalog.publish(MAIN, generation, False, 1.0)
    branch: Files = {**FILES, "a.py": A2}
    opened = rig.open_over(branch, TOPIC, Base(MAIN, generation))
    assert rig.catalog.missing(TOPIC, opened, 10).paths == ("a.py",)
    rig.put({"a.py": A2}, embedded=False)
    assert set(rig.catalog.missing(TOPIC, opened, 10).unembedded) == set(FILES) - {"link"}
    rig.put(FILES)
    assert rig.catalog.missing(TOPIC, opened, 10).unembedded == ("a.py",)
    rig.put(branch)
    assert rig.catalog.missing(TOPIC, opened, 10) == Missing((), ())


def test_a_branch_may_lie_over_what_is_not_published_yet(rig: CatalogRig) -> None:
    opened = rig.open(FILES)
    branch: Files = {**FILES, "a.py": A2}
    generation = rig.open_over(branch, TOPIC, Base(MAIN, opened))
    assert set(rig.catalog.missing(TOPIC, generation, 10).paths) == set(branch)
    rig.open({"b.py": B})
    rig.push({"c.py": C})
    rig.catalog.collect(1)
    rig.put(branch)
    assert rig.catalog.missing(TOPIC, generation, 10) == Missing((), ())
    assert rig.catalog.publish(TOPIC, generation, True, 2.0)
    check(rig, branch, ViewKey("demo", "alone"))


def test_a_branch_sees_what_is_parked_in_its_base(rig: CatalogRig) -> None:
    rig.catalog.put_documents([sample_write("pkg/b.py", B, parked=True), sample_write("a.py", A, parked=True)])
    generation = rig.open(FILES)
    rig.catalog.put_documents([sample_write(p, FILES[p]) for p in FILES if p not in ("a.py", "pkg/b.py")])
    rig.catalog.publish(MAIN, generation, True, 1.0)
    opened = rig.open_over({**FILES, "a.py": A2}, TOPIC, Base(MAIN, generation))
    rig.put({"a.py": A2})
    assert rig.catalog.parked(TOPIC, opened) == ("pkg/b.py",)
    assert rig.catalog.publish(TOPIC, opened, True, 2.0)
    with rig.pin([MAIN, TOPIC]) as scope:
        assert sorted(rig.catalog.parked_in(scope, 5)) == [(0, "a.py"), (0, "pkg/b.py"), (1, "pkg/b.py")]
        assert len(rig.catalog.parked_in(scope, 2)) == 2
    with rig.pin([TOPIC]) as scope:
        assert [r.document.path for r in rig.catalog.lexical(scope, ["renamed"], 5)] == []
        rig.put({"pkg/b.py": B})
        assert [r.document.path for r in rig.catalog.lexical(scope, ["renamed"], 5)] == ["pkg/b.py"]


def test_branches_and_their_base_are_searched_together(rig: CatalogRig, base: Base) -> None:
    rig.push_over({**FILES, "a.py": A2}, TOPIC, base)
    with rig.pin([TOPIC, MAIN]) as scope:
        found = [(r.document.snapshot, r.document.path) for r in rig.catalog.symbols_named(scope, ["alpha", "run"], 9)]
        places = [(0, "a.py"), (0, "pkg/deep/d.py"), (0, "pkg/deep/er/c.py")]
        assert found == places + [(1, path) for _, path in places]
        uses = [(r.document.snapshot, r.document.path) for r in rig.catalog.references_named(scope, ["beta", "gamma"])]
        assert uses == [(0, "a.py"), (1, "a.py")]


def test_what_a_reader_keeps_follows_a_collection(rig: CatalogRig, base: Base) -> None:
    with rig.pin() as scope:
        rig.catalog.lexical(scope, ["alpha"], 5)
    rig.push({"a.py": A2})
    rig.push({"a.py": A2, "b.py": B})
    rig.catalog.collect(1)
    check(rig, {"a.py": A2, "b.py": B}, ViewKey("demo", "alone"), MAIN)


LARGE = b"".join(b"def f%d(first, second):\n    return g%d(first, second) + alpha\n\n\n" % (n, n) for n in range(200))
EDITED = LARGE.replace(b"def f90(first", b"# changed on a branch\ndef f90(other")


def test_a_branch_stores_only_what_differs_from_its_base(rig: CatalogRig) -> None:
    base = Base(MAIN, rig.push({"large.py": LARGE, "small.py": A}))
    rig.push_over({"large.py": EDITED, "small.py": A}, TOPIC, base)
    with rig.catalog._database.read() as session:  # type: ignore[attr-defined]
        rows = session.rows(
            "SELECT d.base IS NOT NULL, length(b.head) + length(b.symbols) + length(b.chunks) + length(t.body)"
            " FROM documents d JOIN bodies b ON b.document = d.id JOIN texts t ON t.id = d.text"
            " WHERE d.path = 'large.py'"
        )
    sizes = {bool(against_base): size for against_base, size in rows}
    assert sizes[True] < 0.5 * sizes[False]


@pytest.mark.parametrize("kept", [MAIN, TOPIC])
def test_what_a_branch_stores_outlives_what_it_was_stored_against(
    rig: CatalogRig, tmp_path: Path, new_store: NewStore, kept: ViewKey
) -> None:
    """The branch's version becomes main's, or main goes away; another file of the same text is a branch's, too."""
    base = Base(MAIN, rig.push({"large.py": LARGE, "small.py": A}))
    files: Files = {"large.py": EDITED, "copy.py": EDITED, "small.py": A2}
    rig.push_over(files, TOPIC, base)
    if kept == MAIN:
        rig.push(files)
        rig.catalog.delete_view(TOPIC)
    else:
        rig.catalog.delete_view(MAIN)
    rig.catalog.collect(1)
    rig.catalog.collect(1)
    (tmp_path / "fresh").mkdir()
    other = new_store(tmp_path / "fresh" / "store")
    fresh = CatalogRig(other(), tmp_path / "fresh")
    fresh.push(files)
    assert answers(rig.catalog, kept) == answers(fresh.catalog, MAIN)
    with rig.pin([kept]) as ours, fresh.pin() as theirs:
        for path in files:
            mine, its = (
                c.document_at(s, path)[0].document_id for c, s in ((rig.catalog, ours), (fresh.catalog, theirs))
            )
            assert rig.catalog.document(mine) == fresh.catalog.document(its)
            assert rig.catalog.text(mine) == fresh.catalog.text(its)
    other.close()


def test_a_literal_of_a_branch_is_found_in_old_and_new_lines(rig: CatalogRig) -> None:
    base = Base(MAIN, rig.push({"large.py": LARGE}))
    rig.push_over({"large.py": EDITED, "small.py": A2}, TOPIC, base)
    held = {MAIN: {"large.py": LARGE.decode()}, TOPIC: {"large.py": EDITED.decode(), "small.py": A2.decode()}}
    asked = [*LITERALS, ["# changed on a branch\ndef f90(other"], ["return", "changed"], ["ab"], ["nowhere at all"]]
    for view, texts in held.items():
        with rig.pin([view]) as scope:
            for literals in asked:
                found = {d.path for d in rig.catalog.documents_containing(scope, literals)}
                assert found >= {path for path, text in texts.items() if all(one in text for one in literals)}, literals
    with rig.pin([TOPIC]) as scope:
        assert rig.catalog.documents_containing(scope, ["nowhere at all"]) == []
