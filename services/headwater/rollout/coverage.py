"""How much of what the live edition shows another edition has: what is done, and what it is behind with."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.view import ViewKey, ViewState
from headwater.stores.catalog import Catalog

SHOWN = 20  # views that are behind, by name


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """`documents` are those of views that stand by themselves; branches lie over them and count among the views.

    `lag_seconds`: the age of the oldest publication of the live edition that the other one doesn't have.
    """

    views: int
    views_done: int
    documents: int
    documents_done: int
    lag_seconds: float
    behind: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.views_done == self.views


def is_covered(live: ViewState, other: ViewState | None) -> bool:
    """Whether `other` shows what `live` shows, or something later: a head is read no earlier than its push."""
    if not live.published:
        return True
    if other is None or not other.published or (live.vector_complete and not other.vector_complete):
        return False
    return other.commit == live.commit or other.pushed_at >= live.pushed_at


def behind(live: Iterable[ViewState], other: Iterable[ViewState]) -> list[ViewState]:
    """The live edition's views that the other one doesn't cover."""
    found = {state.view: state for state in other}
    public = [state for state in live if state.view.owner is None]  # a private view comes with its next change
    return [state for state in public if not is_covered(state, found.get(state.view))]


def coverage(live: Catalog, other: Catalog, now: float) -> Coverage:
    """Raises CatalogUnavailableError."""
    states = [state for state in live.views() if not state.deleted and state.view.owner is None]
    late = behind(states, other.views())
    documents, done = _documents(live, other, states)
    return Coverage(
        views=len(states),
        views_done=len(states) - len(late),
        documents=documents,
        documents_done=done,
        lag_seconds=max((round(now - state.published_at, 1) for state in late), default=0.0),
        behind=tuple(f"{state.view.repo} {state.view.ref}" for state in late[:SHOWN]),
    )


def _documents(live: Catalog, other: Catalog, states: Sequence[ViewState]) -> tuple[int, int]:
    """Of the live edition's views that lie over no other, and how many of them the other edition has made."""
    total = done = 0
    for state in states:
        if state.published and live.overlay(state.view) is None:
            wanted = _count(live, state.view, state.published)
            mine = other.view(state.view)
            total += wanted
            done += min(wanted, _count(other, state.view, mine.opened)) if mine is not None and mine.opened else 0
    return total, done


def _count(catalog: Catalog, view: ViewKey, generation: int) -> int:
    counts = catalog.file_counts(view, generation)
    return counts.indexed + counts.skipped + counts.parked
