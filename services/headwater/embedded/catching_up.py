"""Brings an edition that isn't live to where git is: its first load, and whatever it missed."""

import time

from headwater.domain.view import ViewKey, ViewState
from headwater.embedded.open_edition import OpenEdition, Progress
from headwater.embedded.product import Product
from headwater.events import CommitReceived
from headwater.rollout.sharing import share_repositories
from headwater.stores.git_store import RepositoryUnreadableError


def catch_up(
    product: Product, edition: OpenEdition, seconds: float = float("inf"), progress: Progress | None = None
) -> int:
    """Views that are still behind after at most about so many seconds, a view at a time.

    Private views come with their next change. Raises PipelineStalledError, CatalogUnavailableError,
    VectorsUnavailableError, VersionMismatchError.
    """
    share_repositories(product.catalog, edition.catalog)
    due = time.monotonic() + seconds
    live = {state.view: state for state in product.catalog.views()}
    mine = {state.view: state for state in edition.catalog.views()}
    left = 0
    for view in sorted(live.keys() | mine.keys()):
        event = None if view.owner is not None else _missed(product, view, live.get(view), mine.get(view))
        if event is None:
            continue
        if time.monotonic() >= due:
            left += 1
            continue
        edition.run([event], progress)
    return left


def _missed(product: Product, view: ViewKey, live: ViewState | None, mine: ViewState | None) -> CommitReceived | None:
    """None when the edition has the view's head, or when that can't be told now."""
    try:
        head = product.git.open(view.repo).commit_of(view.ref)
    except RepositoryUnreadableError:
        return None
    if _shows(mine, head, product.treatment.of(view.repo).rules):
        return None
    pushed_at = live.pushed_at if live is not None and live.commit == head else time.time()
    return CommitReceived(repo=view.repo, ref=view.ref, after=head or "", pushed_at=pushed_at, cause="rollout")


def _shows(state: ViewState | None, head: str | None, rules: str) -> bool:
    if state is None:
        return head is None
    done = state.published == state.opened and state.vector_complete
    return done and state.opened_commit == head and state.opened_rules == rules
