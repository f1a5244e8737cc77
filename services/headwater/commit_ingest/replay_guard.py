"""Remembers deliveries for a while, so that a recorded one can't be sent again to keep the pipeline busy."""

import time
from collections import OrderedDict
from collections.abc import Callable


class ReplayGuard:
    """Holds at most `capacity` digests of deliveries for `window` seconds each. One thread at a time."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, window: float = 3600.0, capacity: int = 100_000
    ) -> None:
        self._clock, self._window, self._capacity = clock, window, capacity
        self._seen: OrderedDict[str, float] = OrderedDict()

    def is_new(self, delivery: str) -> bool:
        """Whether it was not seen within the window."""
        now = self._clock()
        while self._seen and (len(self._seen) > self._capacity or next(iter(self._seen.values())) < now - self._window):
            self._seen.popitem(last=False)
        return delivery not in self._seen

    def remember(self, delivery: str) -> None:
        """Called once the delivery's effect is durable."""
        self._seen[delivery] = self._clock()
        self._seen.move_to_end(delivery)
