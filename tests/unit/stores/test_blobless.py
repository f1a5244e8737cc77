"""A mirror without blobs, over git's own HTTP: it holds no line of a file, and gives every blob that the host has."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.domain.tree import TreeUnreadableError, hash_blob
from headwater.stores.blobless import sweep
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.mirror_source import MirrorGitSource
from support.canaries import found_below
from support.git_http import SERVICE, GitHost, serving
from support.git_repo import RepoBuilder

CONTENTS = {"a.txt": b"qzliteral one\n", "b/c.txt": b"qzliteral two\n", "b/d.txt": b"qzliteral three\n"}
OIDS = {path: hash_blob(content) for path, content in CONTENTS.items()}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[GitHost]:
    with serving(GitHost(tmp_path / "host")) as started:
        yield started


@pytest.fixture
def shop(host: GitHost) -> RepoBuilder:
    git = RepoBuilder(host.root / "acme" / "shop.git")
    git.repo.config["uploadpack.allowFilter"] = True
    git.commit(dict(CONTENTS))
    return git


def source(host: GitHost, folder: Path) -> MirrorGitSource:
    return MirrorGitSource({"r": host.location("acme/shop")}.get, folder, blobs=False)


def test_trees_are_there_and_blobs_come_when_they_are_read(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    git = source(host, tmp_path / "mirrors")
    mirror = git.open("r")
    head = mirror.commit_of("refs/heads/main")
    assert head is not None
    assert [entry.name for entry in mirror.read_tree("", mirror.tree_of(head))] == ["a.txt", "b"]
    assert mirror.read_blob(OIDS["a.txt"]) == CONTENTS["a.txt"]
    assert git.read_blobs("r", OIDS.values()) == {OIDS[path]: content for path, content in CONTENTS.items()}
    assert found_below(tmp_path / "mirrors") == {}


def test_pushes_are_followed_without_their_blobs(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    git = source(host, tmp_path / "mirrors")
    git.open("r")
    second = shop.commit({**CONTENTS, "e.txt": b"qzliteral four\n"})
    assert git.open("r").commit_of("refs/heads/main") == second
    assert git.read_blobs("r", [hash_blob(b"qzliteral four\n")])
    assert found_below(tmp_path / "mirrors") == {}


def test_what_the_host_lacks_does_not_keep_the_rest(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    git = source(host, tmp_path / "mirrors")
    assert git.read_blobs("r", [OIDS["a.txt"], "0123456789" * 4]) == {OIDS["a.txt"]: CONTENTS["a.txt"]}
    with pytest.raises(TreeUnreadableError):
        git.open("r").read_blob("0123456789" * 4)


def test_the_service_s_own_credential_is_written_nowhere(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    source(host, tmp_path / "mirrors").open("r")
    secret = SERVICE.partition(":")[2].encode()
    files = [p for p in (tmp_path / "mirrors").rglob("*") if p.is_file()]
    assert files
    assert [p for p in files if secret in p.read_bytes()] == []


def test_a_host_that_would_send_all_blobs_is_refused(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    shop.repo.config["uploadpack.allowFilter"] = False
    with pytest.raises(RepositoryUnreadableError, match="allowFilter"):
        source(host, tmp_path / "mirrors").open("r")
    assert found_below(tmp_path / "mirrors") == {}


def test_what_a_crash_left_behind_is_taken_away_by_whoever_comes_next(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, in_use, other = (
        tmp_path / name
        for name in (f"headwater-blobs-{ended.pid}-x", f"headwater-blobs-{os.getpid()}-x", "something-else")
    )
    for folder in (left, in_use, other):
        (folder / "objects").mkdir(parents=True)
    sweep(tmp_path)
    assert (left.exists(), in_use.exists(), other.exists()) == (False, True, True)


def test_a_host_that_is_away_is_an_error_to_try_again(host: GitHost, shop: RepoBuilder, tmp_path: Path) -> None:
    git = source(host, tmp_path / "mirrors")
    mirror = git.open("r")
    host.root.rename(tmp_path / "gone")
    with pytest.raises(TreeUnreadableError):
        mirror.read_blob(OIDS["a.txt"])
