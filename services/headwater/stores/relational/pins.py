"""Which generations readers of this process hold."""

import threading
from collections import Counter
from collections.abc import Collection, Iterable


class Pins:
    """Counts holders of (view id, generation)."""

    def __init__(self) -> None:
        self._held: Counter[tuple[int, int]] = Counter()
        self._lock = threading.Lock()

    def hold(self, pins: Iterable[tuple[int, int]]) -> None:
        with self._lock:
            self._held.update(pins)

    def release(self, pins: Iterable[tuple[int, int]]) -> None:
        with self._lock:
            self._held.subtract(pins)
            self._held = +self._held

    def held(self) -> Collection[tuple[int, int]]:
        with self._lock:
            return tuple(self._held)
