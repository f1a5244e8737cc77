"""Which registered repository a path lies in."""

from collections.abc import Iterable

from headwater.stores.catalog import Repository
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError


def repository_at(known: Iterable[Repository], path: str) -> str | None:
    """The name of the one around a path (the current folder, a clone, a worktree of it); None where it isn't known."""
    try:
        return name_of(known, GitRepository(path))
    except (RepositoryUnreadableError, OSError, ValueError, RuntimeError):  # no path at all: too long, "~nobody"
        return None


def name_of(known: Iterable[Repository], repository: GitRepository) -> str | None:
    """The registered repository that this is, or of which this is a worktree."""
    candidates = list(known)
    for candidate in candidates:
        if candidate.location == str(repository.path):
            return candidate.name
    for candidate in candidates:
        try:
            if GitRepository(candidate.location).shared_folder == repository.shared_folder:
                return candidate.name
        except RepositoryUnreadableError:
            continue
    return None
