"""A planned generation is the tree that git would write, and touches only the changed paths."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.domain.merkle import EntryChange
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, hash_blob
from headwater.stores.relational.manifest_plan import ManifestPlan, ManifestRow, plan_generation, root_of
from support.git_repo import RepoBuilder

paths = st.sampled_from(["a", "a.b", "a/b", "a/b/c", "a/c", "b", "b/a/a/a", "z/\uef80"])
trees = st.dictionaries(paths, st.binary(max_size=1), max_size=5).map(
    lambda files: {p: c for p, c in files.items() if not any(o.startswith(f"{p}/") for o in files)}
)


class Manifest:
    """Rows in memory, changed by plans."""

    def __init__(self) -> None:
        self.rows: defaultdict[str, dict[str, ManifestRow]] = defaultdict(dict)
        self.reads: list[str] = []
        self._next = 0

    def read(self, path: str) -> dict[str, ManifestRow]:
        self.reads.append(path)
        return dict(self.rows[path])

    def apply(self, plan: ManifestPlan) -> None:
        for directory, rows in self.rows.items():
            self.rows[directory] = {n: r for n, r in rows.items() if r.id not in plan.closed}
        for opened in plan.opened:
            self._next += 1
            assert opened.entry.name not in self.rows[opened.directory]
            self.rows[opened.directory][opened.entry.name] = ManifestRow(self._next, opened.entry)


def changes(old: dict[str, bytes], new: dict[str, bytes]) -> list[EntryChange]:
    return [
        EntryChange(p, None, TreeEntry(Mode.FILE, "", hash_blob(new[p])) if p in new else None)
        for p in sorted(old.keys() | new.keys())
        if old.get(p) != new.get(p)
    ]


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    return RepoBuilder(tmp_path_factory.mktemp("git"))


@given(history=st.lists(trees, min_size=1, max_size=4))
@settings(deadline=None)
def test_roots_equal_gits(repo: RepoBuilder, history: list[dict[str, bytes]]) -> None:
    manifest, held = Manifest(), dict[str, bytes]()
    for files in history:
        plan = plan_generation(manifest.read, changes(held, files))
        manifest.apply(plan)
        held = files
        expected = str(repo.tree(dict(files))) if files else EMPTY_TREE
        assert plan.root == expected == root_of(manifest.rows[""])


def test_each_directory_on_a_changed_path_is_read_once() -> None:
    manifest = Manifest()
    wide = {f"d{i}/e/f{j}": b"x" for i in range(20) for j in range(3)}
    manifest.apply(plan_generation(manifest.read, changes({}, wide)))
    manifest.reads.clear()
    plan = plan_generation(manifest.read, changes(wide, {**wide, "d3/e/f1": b"y"}))
    assert sorted(manifest.reads) == ["", "d3", "d3/e"]
    assert len(plan.closed) == len(plan.opened) == 3


def test_no_change_is_the_same_root() -> None:
    manifest = Manifest()
    manifest.apply(plan_generation(manifest.read, changes({}, {"a/b": b"1"})))
    plan = plan_generation(manifest.read, [])
    assert (plan.closed, plan.opened, plan.root) == ((), (), root_of(manifest.rows[""]))
