"""Git repositories: refs resolve by every form, and trouble is named with what to do."""

from pathlib import Path

import pygit2
import pytest

from headwater.stores.git_store import GitRepository, RefNotFoundError, RepositoryUnreadableError
from support.git_repo import RepoBuilder

_WHO = pygit2.Signature("A Dev", "dev@example.com", 1_700_000_000, 0)


@pytest.fixture
def builder(tmp_path: Path) -> RepoBuilder:
    return RepoBuilder(tmp_path / "r.git")


def test_refs_resolve_by_short_name_full_name_tag_and_commit(builder: RepoBuilder) -> None:
    commit = builder.commit({"a": b"1"})
    builder.repo.create_tag("v1", commit, 1, _WHO, "one")
    repo = GitRepository(builder.path)
    assert repo.resolve("main") == ("refs/heads/main", commit)
    assert repo.resolve("refs/heads/main") == ("refs/heads/main", commit)
    assert repo.resolve("v1") == ("refs/tags/v1", commit)
    assert repo.resolve(commit[:10]) == (commit, commit)
    assert repo.resolve(None) == ("refs/heads/main", commit)
    assert repo.commit_of(commit) == commit
    assert repo.commit_of("1" * 40) is None
    assert repo.refs() == {"refs/heads/main": commit, "refs/tags/v1": commit}


def test_a_missing_ref_names_near_ones(builder: RepoBuilder) -> None:
    builder.commit({"a": b"1"})
    with pytest.raises(RefNotFoundError, match="did you mean main"):
        GitRepository(builder.path).resolve("mai")


def test_a15_an_empty_repository_says_so(builder: RepoBuilder) -> None:
    repo = GitRepository(builder.path)
    assert repo.is_empty
    with pytest.raises(RefNotFoundError, match="no commit"):
        repo.resolve(None)


def test_a_folder_that_is_no_repository_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RepositoryUnreadableError, match="git init"):
        GitRepository(tmp_path)
    with pytest.raises(RepositoryUnreadableError, match="does not exist"):
        GitRepository(tmp_path / "nothing")


def test_every_kind_of_repository_is_opened_again_by_its_path(builder: RepoBuilder, tmp_path: Path) -> None:
    commit = builder.commit({"folder/a": b"1"})
    pygit2.clone_repository(str(builder.path), str(tmp_path / "clone"))
    (tmp_path / "odd").mkdir()
    (tmp_path / "clone" / ".git").rename(tmp_path / "odd" / "repo")  # a git folder that claims its parent as worktree
    pygit2.clone_repository(str(builder.path), str(tmp_path / "clone2"))
    for place in (builder.path, tmp_path / "odd" / "repo", tmp_path / "clone2", tmp_path / "clone2" / "folder"):
        found = GitRepository(place).path
        assert GitRepository(found).path == found
        assert GitRepository(found).resolve(None)[1] == commit


def test_r5_every_spelling_of_a_ref_is_its_view_and_two_refs_of_one_name_are_an_error(builder: RepoBuilder) -> None:
    old = builder.commit({"a": b"1"})
    builder.point("refs/tags/both", old)
    new = builder.commit({"a": b"2"})
    for ref in ("refs/heads/both", "refs/remotes/origin/main", f"refs/heads/{old}"):
        builder.point(ref, new)
    repo = GitRepository(builder.path)
    for name in ("main", "heads/main", "HEAD", "@"):
        assert repo.resolve(name) == ("refs/heads/main", new)
    assert repo.resolve("origin/main") == ("refs/remotes/origin/main", new)
    assert repo.resolve("main^{}") == (new, new)
    assert repo.resolve(old) == (old, old)
    with pytest.raises(RefNotFoundError, match="refs/tags/both or refs/heads/both"):
        repo.resolve("both")
    for odd in ("", "a b", "..", "@{", "x^{", "a\\b", "*"):
        with pytest.raises(RefNotFoundError):
            repo.resolve(odd)
