"""Trees and blobs hash as git hashes them."""

from pathlib import Path

import pytest

from headwater.domain.path import path_from_git
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, hash_blob
from headwater.domain.tree_object import hash_tree
from headwater.stores.git_store import GitRepository
from support.git_repo import RepoBuilder


def test_empty_tree() -> None:
    assert hash_tree([]) == EMPTY_TREE


@pytest.fixture
def repository(tmp_path: Path) -> tuple[GitRepository, str]:
    builder = RepoBuilder(tmp_path / "r.git")
    commit = builder.commit(
        {
            "a": b"1",
            "a.b": b"2",
            "a-b": b"3",
            "aa/inner": b"4",
            "run.sh": (Mode.EXECUTABLE, b"#!/bin/sh\n"),
            "link": (Mode.SYMLINK, b"a"),
            "sub": (Mode.SUBMODULE, b"1" * 40),
            path_from_git(b"\xff\xfe"): b"5",
        }
    )
    repo = GitRepository(tmp_path / "r.git")
    return repo, repo.tree_of(commit)


def test_tree_hash_equals_gits(repository: tuple[GitRepository, str]) -> None:
    repo, tree = repository
    entries = repo.read_tree("", tree)
    assert len(entries) == 8
    assert hash_tree(reversed(entries)) == tree


def test_git_orders_a_folder_as_if_its_name_ended_in_a_slash(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    tree = str(builder.tree({"a.b": b"1", "a/x": b"2", "a0": b"3"}))
    builder.commit({"a.b": b"1", "a/x": b"2", "a0": b"3"})
    repo = GitRepository(tmp_path / "r.git")
    entries = {e.name: e for e in repo.read_tree("", tree)}
    assert hash_tree(entries.values()) == tree
    assert hash_tree([entries["a"], TreeEntry(Mode.FILE, "a.b", hash_blob(b"1")), entries["a0"]]) == tree


def test_blob_hash_equals_gits(tmp_path: Path) -> None:
    builder = RepoBuilder(tmp_path / "r.git")
    assert str(builder.repo.create_blob(b"hello\n")) == hash_blob(b"hello\n")
