"""Where stages get a repository's git objects from, by repository name."""

import threading
from collections.abc import Callable, Collection
from typing import Protocol

from headwater.domain.tree import TreeReader, TreeUnreadableError
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError
from headwater.stores.partial_clone import open_repository


class GitObjects(TreeReader, Protocol):
    """The part of a git repository that stages read. Every method raises TreeUnreadableError when it can't."""

    def commit_of(self, full_ref: str) -> str | None:
        """The commit of a full ref name or of a commit id; None when there is none."""
        ...

    def tree_of(self, commit: str) -> str: ...

    def default_ref(self) -> str | None:
        """The full name of the branch that HEAD names; None when it names a commit."""
        ...

    def read_blob(self, oid: str) -> bytes: ...

    def blob_size(self, oid: str) -> int: ...


class GitSource(Protocol):
    """Opens repositories by their name in the catalog."""

    def open(self, repo: str) -> GitObjects:
        """Raises RepositoryUnreadableError."""
        ...


class LocalGitSource:
    """Repositories on this machine's disk. One handle per repository and thread: libgit2 handles aren't shared."""

    def __init__(self, location: Callable[[str], str | None]) -> None:
        """`location` gives a repository's path by its name, None when it isn't known."""
        self._location = location
        self._open = threading.local()

    def open(self, repo: str) -> GitRepository:
        cache: dict[str, GitRepository] = self._open.__dict__
        if repo not in cache:
            location = self._location(repo)
            if location is None:
                raise RepositoryUnreadableError(f"repository '{repo}' is not registered: index its path first")
            cache[repo] = open_repository(location)
        return cache[repo]

    def read_blobs(self, repo: str, oids: Collection[str]) -> dict[str, bytes]:
        """Those of a repository's blobs that it has. Raises TreeUnreadableError."""
        try:
            return self.open(repo).blobs(oids)
        except RepositoryUnreadableError as error:
            raise TreeUnreadableError(str(error)) from error
