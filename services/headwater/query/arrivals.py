"""Tells all who wait that the index has moved: one look at the catalog for all of them, and none while nobody waits."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from headwater.runtime.cancellation import Wake
from headwater.stores.catalog import CatalogUnavailableError

LOOK_EVERY_S = 0.02


class Arrivals:
    """One for an engine; safe to use from several threads."""

    def __init__(self, position: Callable[[], object], sleep: Callable[[float], None] = time.sleep) -> None:
        """`position` differs once the index has moved. Raises CatalogUnavailableError, which counts as a move."""
        self._position, self._sleep, self._lock = position, sleep, threading.Lock()
        self._wakes: dict[object, Wake] = {}
        self._looking = False

    @contextmanager
    def told(self, wake: Wake) -> Iterator[None]:
        """`wake` is called after each move, from another thread. Look only after this: then no move is missed."""
        key = object()
        with self._lock:
            self._wakes[key] = wake
            if not self._looking:
                self._looking = True
                threading.Thread(target=self._run, name="arrivals", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                del self._wakes[key]

    def _run(self) -> None:
        """Ends once nobody waits. The first look wakes everybody: it can't tell what was before."""
        seen: object = self
        while wakes := self._waiting():
            found = self._look()
            if found != seen:
                seen = found
                for wake in wakes:
                    wake()
            self._sleep(LOOK_EVERY_S)

    def _waiting(self) -> list[Wake]:
        with self._lock:
            self._looking = bool(self._wakes)
            return list(self._wakes.values())

    def _look(self) -> object:
        try:
            return self._position()
        except CatalogUnavailableError:
            return None
