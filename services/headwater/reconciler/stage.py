"""The reconciler's shell: asks the catalog what a generation still waits for and publishes it when proven."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from headwater.domain.view import ViewKey, ViewState
from headwater.events import Event, Heartbeat, IndexApplied, Lane
from headwater.events.index_applied import Index
from headwater.reconciler.process import Publication, Push, is_settled, later, publication, pushes_of
from headwater.stores.catalog import Catalog, CatalogUnavailableError, DivergenceError
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing
from headwater.tracing import names
from headwater.tracing.spans import note

VECTOR_GRACE = 10.0  # seconds that the lexical side waits for the vectors


class Watcher(Protocol):
    """Told what the reconciler sees."""

    def published(self, view: ViewKey, index: Index, lane: Lane, seconds: float) -> None:
        """One index of a view now shows a push that is this old."""
        ...

    def diverged(self, view: ViewKey, error: DivergenceError) -> None:
        """A generation that isn't its commit's tree; raise to end the process."""
        ...

    def heard(self, heartbeats: Sequence[Heartbeat]) -> None: ...


class Unwatched:
    """Where nobody repairs, a divergence is an error."""

    def published(self, view: ViewKey, index: Index, lane: Lane, seconds: float) -> None: ...

    def diverged(self, view: ViewKey, error: DivergenceError) -> None:
        raise error

    def heard(self, heartbeats: Sequence[Heartbeat]) -> None: ...


class Reconciler:
    """Consumes index-applied. Whether a generation is complete is asked of the catalog, never counted from events."""

    name = "reconciler"

    def __init__(
        self,
        catalog: Catalog,
        clock: Callable[[], float] = time.time,
        vector_grace: float = VECTOR_GRACE,
        watcher: Watcher | None = None,
    ) -> None:
        self._catalog, self._clock, self._vector_grace = catalog, clock, vector_grace
        self._watcher = watcher or Unwatched()
        self._pushes: dict[ViewKey, Push] = {}  # the latest of each view that waits
        self._waiting: dict[ViewKey, float] = {}  # since when the lexical side could have been ahead

    def handle(self, batch: Sequence[Event]) -> Iterable[Outgoing]:
        self._watcher.heard([e for e in batch if isinstance(e, Heartbeat)])
        pushes = pushes_of([e for e in batch if isinstance(e, IndexApplied)])
        self._pushes |= {view: later(push, self._pushes.get(view)) for view, push in pushes.items()}
        for view in pushes:
            try:
                self.settle(view)
            except CatalogUnavailableError as error:
                raise RetryableError(str(error)) from error
        return ()

    def settle(self, view: ViewKey) -> Publication:
        """Publish the view's newest generation if it may be. Raises CatalogUnavailableError."""
        state = self._catalog.view(view)
        if state is None or is_settled(state):
            self._pushes.pop(view, None)
            self._waiting.pop(view, None)
            return Publication.WAIT
        now = self._clock()
        push = self._pushes.setdefault(view, Push(now, Lane.LIVE))  # after a restart its age isn't known
        waited = now - self._waiting.setdefault(view, min(push.at, now))
        missing = self._catalog.missing(view, state.opened, 1)
        decision = publication(missing, waited, self._grace(state))
        if decision is not Publication.WAIT:
            self._publish(state, decision, push)
        return decision

    def _grace(self, state: ViewState) -> float:
        """None while the vectors are known to be behind: one wait is enough for an outage."""
        return 0.0 if state.published and not state.vector_complete else self._vector_grace

    def _publish(self, state: ViewState, decision: Publication, push: Push) -> None:
        now, complete = self._clock(), decision is Publication.COMPLETE
        try:
            shown = self._catalog.publish(state.view, state.opened, complete, now)
        except DivergenceError as error:
            self._watcher.diverged(state.view, error)
            return
        if not shown:
            return
        self._waiting.pop(state.view, None)
        note(names.PUBLISHED, (state.view.repo, state.view.ref, push.at), {names.COMMIT: state.opened_commit})
        if state.published != state.opened:
            self._watcher.published(state.view, Index.LEXICAL, push.lane, now - push.at)
        if complete:
            self._watcher.published(state.view, Index.VECTOR, push.lane, now - push.at)
            self._pushes.pop(state.view, None)
