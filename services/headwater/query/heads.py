"""The git host's head of a view, and the paths on which what readers see differs from it."""

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError

import msgspec
from msgspec.structs import replace

from headwater.domain.answer import ViewFreshness
from headwater.domain.grants import Grants
from headwater.domain.merkle import diff_trees
from headwater.domain.tree import TreeTooLargeError, TreeUnreadableError
from headwater.domain.view import ViewState
from headwater.limits import tree_bounds
from headwater.query.deadline import Deadline
from headwater.query.workers import waiting_elsewhere
from headwater.stores.catalog import Catalog, CatalogUnavailableError, StaleGenerationError
from headwater.stores.git_source import GitObjects, GitSource
from headwater.stores.git_store import RepositoryUnreadableError

MOST_NAMED = 50  # paths
_UNTOLD = (RepositoryUnreadableError, TreeUnreadableError, CatalogUnavailableError, StaleGenerationError)


class Head(msgspec.Struct, frozen=True):
    """`commit` is "" when the host has the ref no more; `paths` are all that differ, in order."""

    commit: str
    paths: tuple[str, ...] = ()


HeadOf = Callable[[ViewState], Head | None]


def unknown_head(_state: ViewState) -> Head | None:
    """Where no git host can be asked."""
    return None


class GitHeads:
    """`HeadOf` over the catalog's own trees, so that a manifest that isn't its commit's tree shows, too."""

    def __init__(self, catalog: Callable[[], Catalog], git: GitSource) -> None:
        """`catalog` gives the one that is live now."""
        self._catalog, self._git = catalog, git

    def __call__(self, state: ViewState) -> Head | None:
        """None when git can't be read now. O(what differs)."""
        try:
            objects = self._git.open(state.view.repo)
            commit = objects.commit_of(state.view.ref)
            return Head(commit, self._differing(state, objects, commit)) if commit else Head("")
        except (*_UNTOLD, TreeTooLargeError):
            return None

    def _differing(self, state: ViewState, objects: GitObjects, commit: str) -> tuple[str, ...]:
        if not state.published:
            return ()
        catalog = self._catalog()
        held = catalog.root(state.view, state.published)
        manifest = catalog.tree_reader(state.view, state.published)
        changes = diff_trees(manifest, held, objects, objects.tree_of(commit), tree_bounds()).changes
        return tuple(sorted(change.path for change in changes if change.is_of_file))


def in_time(asked: "Future[Head | None]", deadline: Deadline) -> Head | None:
    """A host that doesn't answer in time is one that could not be asked."""
    try:
        with waiting_elsewhere():
            return asked.result(deadline.remaining())
    except FutureTimeoutError:
        asked.cancel()
        return None


def with_head(view: ViewFreshness, head: Head | None, grants: Grants) -> ViewFreshness:
    """Only paths that the caller may read are named or counted."""
    if head is None:
        return view
    paths = [path for path in head.paths if grants.allows(view.repo, path)]
    return replace(view, head=head.commit, divergent_files=len(paths), divergent_paths=tuple(paths[:MOST_NAMED]))
