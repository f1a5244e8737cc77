"""Pins as shared advisory locks of one connection a process: everybody sees them, and they end with the process."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from headwater.stores.catalog import CatalogUnavailableError
from headwater.stores.postgres.database import Lone

Pin = tuple[int, int]

_PINNED = "unnest(?::int[], ?::int[]) AS pinned(view, generation)"
_HELD = """
SELECT classid::bigint, objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class AdvisoryPins:
    """`Pins`. A lost connection is made again with the next pin, and everything that is still held is locked again."""

    def __init__(self, connect: Callable[[], Lone]) -> None:
        self._connect = connect
        self._connection: Lone | None = None
        self._held: Counter[Pin] = Counter()
        self._lock = threading.Lock()

    def hold(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            wanted = Counter(pins)
            fresh = [pin for pin in wanted if pin not in self._held]
            self._held.update(wanted)
            try:
                self._take(fresh)
            except CatalogUnavailableError:
                self._held = +(self._held - wanted)
                raise

    def release(self, pins: Iterable[Pin]) -> None:
        with self._lock:
            before = self._held
            self._held = +(before - Counter(pins))
            gone = [pin for pin in before if pin not in self._held]
            if gone and self._connection is not None:
                try:
                    self._connection.rows(
                        f"SELECT pg_advisory_unlock_shared(view, generation) FROM {_PINNED}", *_of(gone)
                    )
                except CatalogUnavailableError:
                    self._drop()  # the locks went with it

    def held(self) -> Collection[Pin]:
        with self._lock:
            return {(view, generation) for view, generation in self._living().rows(_HELD)}

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _take(self, fresh: list[Pin]) -> None:
        """On a connection that turns out to be lost, once more on a new one."""
        if not fresh:
            return
        if self._connection is not None:
            try:
                self._lock_all(self._connection, fresh)
                return
            except CatalogUnavailableError:
                self._drop()
        self._living()

    def _living(self) -> Lone:
        if self._connection is None:
            self._connection = self._connect()
            self._lock_all(self._connection, list(self._held))
        return self._connection

    def _lock_all(self, connection: Lone, pins: list[Pin]) -> None:
        if pins:
            connection.rows(f"SELECT pg_advisory_lock_shared(view, generation) FROM {_PINNED}", *_of(pins))

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _of(pins: list[Pin]) -> tuple[list[int], list[int]]:
    return [view for view, _ in pins], [generation for _, generation in pins]
