"""Pure decisions of the reconciler: when a generation may be published, and as what."""

from collections.abc import Sequence
from enum import Enum

import msgspec

from headwater.domain.view import ViewKey, ViewState
from headwater.events import IndexApplied, Lane
from headwater.stores.catalog import Missing


class Publication(Enum):
    """What to do with a view's newest opened generation."""

    WAIT = "wait"
    COMPLETE = "complete"
    LEXICAL_ONLY = "lexical-only"  # the vector side is down; answers say so


class Push(msgspec.Struct, frozen=True):
    """When a commit was pushed, epoch seconds, and the lane that it travels in."""

    at: float
    lane: Lane


def pushes_of(batch: Sequence[IndexApplied]) -> dict[ViewKey, Push]:
    """Each view of the batch with its latest push."""
    pushes: dict[ViewKey, Push] = {}
    for event in batch:
        view = ViewKey(event.repo, event.ref)
        if view not in pushes or event.pushed_at > pushes[view].at:
            pushes[view] = Push(event.pushed_at, event.lane)
    return pushes


def later(push: Push, other: Push | None) -> Push:
    return push if other is None or push.at >= other.at else other


def is_settled(state: ViewState | None) -> bool:
    """Nothing to publish: the view is gone or its newest generation is out with both sides."""
    return state is None or state.deleted or (state.published == state.opened and state.vector_complete)


def publication(missing: Missing, waited: float, vector_grace: float) -> Publication:
    """`waited`: seconds since the push. Past `vector_grace` the lexical side goes ahead alone."""
    if missing.paths:
        return Publication.WAIT
    if not missing.unembedded:
        return Publication.COMPLETE
    return Publication.LEXICAL_ONLY if waited > vector_grace else Publication.WAIT
