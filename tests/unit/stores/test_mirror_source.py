"""Repositories by URL through a mirror, by path in place."""

from pathlib import Path

import pytest

from headwater.domain.repository_name import is_url
from headwater.domain.tree import TreeUnreadableError
from headwater.stores.git_program import run_git
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.mirror_source import MirrorGitSource
from support.git_repo import RepoBuilder


@pytest.mark.parametrize("location", ["https://h/a.git", "ssh://git@h/a", "git@h:a/b.git", "file:///srv/a"])
def test_urls(location: str) -> None:
    assert is_url(location)


@pytest.mark.parametrize("location", ["/srv/git/a.git", "./a", "a@b/c:d"])
def test_paths(location: str) -> None:
    assert not is_url(location)


@pytest.fixture
def host(tmp_path: Path) -> RepoBuilder:
    return RepoBuilder(tmp_path / "host.git")


def source(host: RepoBuilder, tmp_path: Path, max_age_s: float = 0.0) -> MirrorGitSource:
    return MirrorGitSource({"r": f"file://{host.path}"}.get, tmp_path / "mirrors", max_age_s)


def test_a_mirror_follows_pushes_force_pushes_and_deletions(host: RepoBuilder, tmp_path: Path) -> None:
    first = host.commit({"a": b"1"})
    second = host.commit({"a": b"2"})
    git = source(host, tmp_path)
    assert git.open("r").refs() == {"refs/heads/main": second}
    assert git.open("r").resolve(None)[0] == "refs/heads/main"
    host.point("refs/heads/main", first)
    host.point("refs/heads/topic", second)
    assert git.open("r").refs() == {"refs/heads/main": first, "refs/heads/topic": second}
    host.delete("refs/heads/topic")
    assert git.open("r").commit_of("refs/heads/topic") is None


def test_a_blob_that_the_mirror_lacks_is_fetched(host: RepoBuilder, tmp_path: Path) -> None:
    host.commit({"a": b"1"})
    git = source(host, tmp_path, float("inf"))
    git.open("r")
    host.commit({"a": b"2"})
    blob = str(host.repo.create_blob(b"2"))
    assert git.read_blobs("r", [blob, "0" * 40]) == {blob: b"2"}
    with pytest.raises(TreeUnreadableError):
        git.read_blobs("unknown", [blob])


def test_a_path_is_read_in_place_and_an_unknown_name_is_said(host: RepoBuilder, tmp_path: Path) -> None:
    git = MirrorGitSource({"r": str(host.path)}.get, tmp_path / "mirrors")
    assert git.open("r").path == host.path
    assert not (tmp_path / "mirrors").exists()
    with pytest.raises(RepositoryUnreadableError, match="not registered"):
        git.open("other")


def test_a_host_that_is_away_keeps_the_last_mirror(host: RepoBuilder, tmp_path: Path) -> None:
    commit = host.commit({"a": b"1"})
    source(host, tmp_path).open("r")
    host.path.rename(tmp_path / "gone.git")
    with pytest.raises(RepositoryUnreadableError, match="git failed"):
        source(host, tmp_path).open("r")
    assert source(host, tmp_path, float("inf")).open("r").refs() == {"refs/heads/main": commit}


def test_the_default_branch_is_told_without_a_fetch(host: RepoBuilder, tmp_path: Path) -> None:
    host.commit({"a": b"1"})
    git = source(host, tmp_path)
    assert git.head_ref("r") == "refs/heads/main"
    host.path.rename(tmp_path / "away")
    assert git.head_ref("r") == "refs/heads/main"
    assert git.head_ref("unknown") is None


def test_a_program_that_hangs_is_ended_and_secrets_are_left_out() -> None:
    with pytest.raises(RepositoryUnreadableError, match=r"within 0\.1 s"):
        run_git(["-c", "alias.wait=!sleep 30", "wait"], 0.1)
    with pytest.raises(RepositoryUnreadableError) as failed:
        run_git(["ls-remote", "file://me:secret@/nowhere"], 10)
    assert "secret" not in str(failed.value)


@pytest.mark.parametrize("step", [-3_600.0, 3_600.0])
def test_s17_a_clock_that_is_stepped_by_an_hour_keeps_no_mirror_from_being_fetched(tmp_path: Path, step: float) -> None:
    origin = RepoBuilder(tmp_path / "origin.git")
    first = origin.commit({"a": b"1"})
    now = [1_700_000_000.0]
    url = f"file://{origin.path}"
    source = MirrorGitSource(lambda _repo: url, tmp_path / "mirrors", max_age_s=5.0, clock=lambda: now[0])
    assert source.open("r").commit_of("refs/heads/main") == first
    second = origin.commit({"a": b"2"})
    now[0] += step
    assert source.open("r").commit_of("refs/heads/main") == second
