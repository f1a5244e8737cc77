"""The Merkle diff equals a comparison of the flat listings, and opens only what differs."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.domain.merkle import diff_trees
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, TreeUnreadableError
from headwater.stores.git_store import GitRepository
from support.git_repo import Files, RepoBuilder

names = st.sampled_from(["a", "b", "c.py", "d"])
contents = st.one_of(
    st.binary(max_size=3),
    st.just((int(Mode.EXECUTABLE), b"x")),
    st.just((int(Mode.SYMLINK), b"a")),
    st.just((int(Mode.SUBMODULE), b"2" * 40)),
)


@st.composite
def trees(draw: st.DrawFn) -> Files:
    paths = draw(st.lists(st.lists(names, min_size=1, max_size=4).map("/".join), max_size=12))
    files: Files = {}
    for path in paths:
        taken = any(p.startswith(f"{path}/") or path.startswith(f"{p}/") for p in files)
        if not taken:
            files[path] = draw(contents)
    return files


def flat(repo: GitRepository, path: str, oid: str) -> dict[str, TreeEntry]:
    found: dict[str, TreeEntry] = {}
    for entry in repo.read_tree(path, oid):
        full = f"{path}/{entry.name}" if path else entry.name
        found |= flat(repo, full, entry.oid) if entry.is_tree else {full: entry}
    return found


@given(trees(), trees())
@settings(deadline=None, max_examples=60)
def test_changes_equal_a_full_comparison(old: Files, new: Files) -> None:
    with tempfile.TemporaryDirectory() as folder:
        builder = RepoBuilder(Path(folder))
        before, after = str(builder.tree(old)), str(builder.tree(new))
        builder.commit({})
        repo = GitRepository(folder)
        was, now = flat(repo, "", before), flat(repo, "", after)
        expected = {p: (was.get(p), now.get(p)) for p in was | now if was.get(p) != now.get(p)}
        diff = diff_trees(repo, before, repo, after)
        assert {c.path: (c.old, c.new) for c in diff.changes} == expected
        assert len(diff.changes) == len(expected)


def test_only_differing_trees_are_opened(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    files: Files = {f"d{i}/e{j}/f": b"same" for i in range(20) for j in range(20)}
    before = str(builder.tree(files))
    after = str(builder.tree(files | {"d3/e4/f": b"other"}))
    builder.commit({})
    repo = GitRepository(tmp_path / "r.git")
    diff = diff_trees(repo, before, repo, after)
    assert [c.path for c in diff.changes] == ["d3/e4/f"]
    assert diff.nodes_visited == 6
    assert diff_trees(repo, after, repo, after).nodes_visited == 0


def test_b7_a_missing_tree_is_an_error_and_never_an_empty_folder(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    builder.commit({"a": b"1"})
    repo = GitRepository(tmp_path / "r.git")
    with pytest.raises(TreeUnreadableError):
        diff_trees(repo, EMPTY_TREE, repo, "1" * 40)
    with pytest.raises(TreeUnreadableError):
        repo.read_blob("1" * 40)
