"""Brings an edition that isn't live to where git is: its first load, and whatever it missed."""

import time

from headwater.domain.view import ViewKey, ViewState
from headwater.embedded.open_edition import OpenEdition, Progress
from headwater.embedded.product import Product
from headwater.embedded.working_copies import WorkingCopies, follower
from headwater.events import CommitReceived
from headwater.rollout.sharing import share_repositories
from headwater.stores.git_store import RepositoryUnreadableError


def catch_up(
    product: Product, edition: OpenEdition, seconds: float = float("inf"), progress: Progress | None = None
) -> int:
    """Views that are still behind after at most about so many seconds, a view at a time.

    A paused repository comes no further than the live edition shows it.

    Raises PipelineStalledError, CatalogUnavailableError, VectorsUnavailableError, VersionMismatchError.
    """
    share_repositories(product.catalog, edition.catalog)
    due = time.monotonic() + seconds
    live = {state.view: state for state in product.catalog.views()}
    mine = {state.view: state for state in edition.catalog.views()}
    paused = {repository.name for repository in product.catalog.repositories() if repository.paused}
    left = 0
    for view in sorted(live.keys() | mine.keys()):
        if view.owner is not None:
            _take_in_private(product, edition, live.get(view), mine.get(view))
            continue
        event = _missed(product, view, live.get(view), mine.get(view))
        if event is None or (view.repo in paused and not _is_shown(event.after, live.get(view))):
            continue
        if time.monotonic() >= due:
            left += 1
            continue
        edition.run([event], progress)
    return left


def _take_in_private(product: Product, edition: OpenEdition, live: ViewState | None, mine: ViewState | None) -> None:
    """A working copy that the live edition shows, as it is on disk now; one that is gone from the disk is left out."""
    copy = WorkingCopies(product.home).of(live.view) if live is not None else None
    if live is None or copy is None or (mine is not None and mine.commit == live.commit):
        return
    try:
        with follower(product, copy) as opened:
            source = opened.now()
            if mine is None or mine.commit != source.commit:
                edition.run([_event(live.view, source.commit, time.time())], git=source)
    except RepositoryUnreadableError:
        return


def _missed(product: Product, view: ViewKey, live: ViewState | None, mine: ViewState | None) -> CommitReceived | None:
    """None when the edition has the view's head, or when that can't be told now."""
    try:
        head = product.git.open(view.repo).commit_of(view.ref)
    except RepositoryUnreadableError:
        return None
    if _shows(mine, head, product.treatment.of(view.repo).rules):
        return None
    pushed_at = live.pushed_at if live is not None and live.commit == head else time.time()
    return _event(view, head or "", pushed_at)


def _is_shown(commit: str, live: ViewState | None) -> bool:
    return commit == (live.commit if live is not None else "")


def _event(view: ViewKey, commit: str, pushed_at: float) -> CommitReceived:
    return CommitReceived(repo=view.repo, ref=view.ref, after=commit, pushed_at=pushed_at, cause="rollout")


def _shows(state: ViewState | None, head: str | None, rules: str) -> bool:
    if state is None:
        return head is None
    done = state.published == state.opened and state.vector_complete
    return done and state.opened_commit == head and state.opened_rules == rules
