"""The reconciler's shell: asks the catalog what a generation still waits for and publishes it when proven."""

import time
from collections.abc import Callable, Iterable, Sequence

from headwater.domain.view import ViewKey
from headwater.events import Event, IndexApplied
from headwater.reconciler.process import Publication, is_settled, publication, pushes_of
from headwater.stores.catalog import Catalog, CatalogUnavailableError
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing

VECTOR_GRACE = 10.0  # seconds that the lexical side waits for the vectors


class Reconciler:
    """Consumes index-applied. Whether a generation is complete is asked of the catalog, never counted from events."""

    name = "reconciler"

    def __init__(
        self, catalog: Catalog, clock: Callable[[], float] = time.time, vector_grace: float = VECTOR_GRACE
    ) -> None:
        self._catalog, self._clock, self._vector_grace = catalog, clock, vector_grace

    def handle(self, batch: Sequence[Event]) -> Iterable[Outgoing]:
        for view, pushed_at in pushes_of([e for e in batch if isinstance(e, IndexApplied)]).items():
            try:
                self.settle(view, pushed_at)
            except CatalogUnavailableError as error:
                raise RetryableError(str(error)) from error
        return ()

    def settle(self, view: ViewKey, pushed_at: float) -> Publication:
        """Publish the view's newest generation, pushed at that time, if it may be.

        Raises DivergenceError, CatalogUnavailableError.
        """
        state = self._catalog.view(view)
        if state is None or is_settled(state):
            return Publication.WAIT
        now = self._clock()
        missing = self._catalog.missing(view, state.opened, 1)
        decision = publication(missing, now - pushed_at, self._vector_grace)
        if decision is not Publication.WAIT:
            self._catalog.publish(view, state.opened, decision is Publication.COMPLETE, now)
        return decision
