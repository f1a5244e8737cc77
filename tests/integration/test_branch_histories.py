"""Invariants 1 and 2 for branches: laid over their base, moved, re-based and collected, each view is its tree."""

import random
import tempfile
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from headwater.domain.view import ViewKey
from headwater.events import FileChanged, Lane
from headwater.merkle_differ import basing
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.stores.relational import deltas
from support.catalogs import NewStore
from support.equality import check_equals_fresh
from support.git_repo import Files, RepoBuilder
from support.histories import SOURCES, BranchStep, branchy_histories
from support.rig import REPO, Rig, received

REFS = ("refs/heads/main", "refs/heads/topic", "refs/heads/other")
SETTINGS = settings(
    deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors]
)
MAIN, TOPIC, OTHER = REFS
TREE: Files = {"a.py": SOURCES[1], "pkg/a.py": SOURCES[3], "pkg/sub/b.py": SOURCES[4], "notes.txt": SOURCES[9]}
OTHER_TREE: Files = {"A.java": SOURCES[10], "pkg/__init__.py": SOURCES[2]}


class Branches:
    """What git holds, by ref: the tree at its tip, and every commit made."""

    def __init__(self, builder: RepoBuilder) -> None:
        self._builder = builder
        self._trees: dict[str, Files] = {}
        self._commits: dict[str, Files] = {}

    def apply(self, step: BranchStep) -> None:
        tip = self._trees.get(step.ref)
        if step.kind == "commit":
            self._commit(step.ref, step.tree)
        elif step.kind == "change" and tip is not None:
            edited = {**tip, **step.changed}
            self._commit(step.ref, {path: content for path, content in edited.items() if content is not None})
        elif step.kind == "fork" and step.other in self._trees:
            commit = str(self._builder.repo.references[step.other].target)
            self._point(step.ref, commit)
        elif step.kind == "back" and self._commits:
            self._point(step.ref, list(self._commits)[step.back % len(self._commits)])
        elif step.kind == "delete" and tip is not None:
            self._builder.delete(step.ref)
            del self._trees[step.ref]

    def _commit(self, ref: str, tree: Files) -> None:
        self._commits[self._builder.commit(tree, ref)] = tree
        self._trees[ref] = tree

    def _point(self, ref: str, commit: str) -> None:
        self._builder.point(ref, commit)
        self._trees[ref] = self._commits[commit]


def steps(*made: tuple[str, str, Files, str]) -> list[BranchStep]:
    return [BranchStep(ref, kind, tree, True, tree, other) for ref, kind, tree, other in made]


@given(branchy_histories(REFS), st.integers(0, 2**32))
@example(steps((MAIN, "commit", TREE, ""), (TOPIC, "fork", {}, MAIN), (TOPIC, "change", {"a.py": b"x = 1\n"}, "")), 1)
@example(
    steps(
        (MAIN, "commit", TREE, ""),
        (TOPIC, "commit", {**TREE, "a.py": b"x = 2\n"}, ""),
        (MAIN, "commit", OTHER_TREE, ""),
        (TOPIC, "commit", {**OTHER_TREE, "z/z.py": b"x = 3\n"}, ""),
        (TOPIC, "collect", {}, ""),
        (MAIN, "delete", {}, ""),
        (MAIN, "fork", {}, TOPIC),
        (TOPIC, "collect", {}, ""),
    ),
    2,
)
@SETTINGS
def test_invariant_1_any_branchy_history_equals_a_fresh_index(
    new_store: NewStore, history: list[BranchStep], seed: int
) -> None:
    with tempfile.TemporaryDirectory() as name, patch.object(basing, "MOVED_FROM", 3), patch.object(deltas, "WORTH", 9):
        folder = Path(name)
        for part in ("index", "fresh"):
            (folder / part).mkdir()
        builder = RepoBuilder(folder / "r.git")
        branches, dice = Branches(builder), random.Random(seed)
        store = new_store(folder / "index")
        rig = Rig(folder / "index", builder.path, store=store)
        try:
            for step in history:
                branches.apply(step)
                if step.kind == "collect":
                    rig.catalog.collect(1)
                if step.sync:
                    rig.run_in_chaos([received(step.ref)] * dice.randint(1, 2), dice)
            rig.run_in_chaos([received(ref) for ref in REFS], dice)
            check_equals_fresh(rig, builder.path, folder / "fresh", REFS)
            rig.catalog.collect(1)
            assert rig.catalog.unreferenced() == 0
            (folder / "again").mkdir()
            check_equals_fresh(rig, builder.path, folder / "again", REFS)
        finally:
            rig.close()
            store.close()


def test_only_a_live_change_sends_former_contents(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    rig = Rig(tmp_path, builder.path)
    builder.commit(TREE, MAIN)
    rig.run([received(MAIN)])
    for ref, lane, former in ((TOPIC, Lane.LIVE, True), (OTHER, Lane.BULK, False)):
        builder.commit({**TREE, "a.py": b"x = 1\n", "pkg/a.py": b"x = 2\n"}, ref)
        differ = MerkleDiffer(rig.catalog, rig.git, bulk_from=2 if lane is Lane.BULK else 1000)
        sent = [o.event for o in differ.handle([replace(received(ref), lane=lane)])]
        files = [e for e in sent if isinstance(e, FileChanged)]
        assert [(f.path, f.lane, bool(f.old_blob)) for f in files] == [
            ("a.py", lane, former),
            ("pkg/a.py", lane, former),
        ]
    rig.close()


def test_a_branch_lies_over_the_default_view_and_is_moved_when_it_grows(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    rig = Rig(tmp_path, builder.path)
    far: Files = {f"src/f{n}.py": b"def f%d(): return %d\n" % (n, n) for n in range(basing.MOVED_FROM)}
    builder.commit(TREE, MAIN)
    builder.commit({**TREE, "a.py": b"x = 1\n"}, TOPIC)
    rig.run([received(ref) for ref in (MAIN, TOPIC)])
    places: Counter[str] = Counter()

    def follow(ref: str, tree: Files) -> int:
        builder.commit(tree, ref)
        rig.run([received(ref)])
        overlay = rig.catalog.overlay(ViewKey(REPO, TOPIC))
        assert overlay is not None
        places[overlay.base.view.ref] += 1
        return overlay.places

    assert follow(MAIN, {**TREE, **far}) == 1
    assert follow(TOPIC, {**TREE, **far}) > basing.MOVED_FROM
    assert follow(TOPIC, {**TREE, **far, "z.py": b"x = 4\n"}) == 1
    assert set(places) == {MAIN}
    assert rig.catalog.overlay(ViewKey(REPO, MAIN)) is None
    rig.close()
