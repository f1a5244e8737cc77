"""How long to wait before the next attempt, and how many dead letters are too many: pure decisions over a clock."""

from collections import deque

import msgspec


class BackOff(msgspec.Struct, frozen=True):
    """Doubling pauses, capped. The first attempt that failed is number 1."""

    first_s: float = 0.1
    longest_s: float = 30.0

    def pause_s(self, attempt: int) -> float:
        return min(self.longest_s, self.first_s * 2.0 ** min(attempt - 1, 30))


class DeadLetterLimitError(Exception):
    """So many events fail that the fault is the stage's own or its configuration's: the stage stops."""


class DeadLetterLimit:
    """At most `limit` dead letters in any `window_s` seconds, so that a bad deploy can't drain a topic into them."""

    def __init__(self, limit: int, window_s: float) -> None:
        self._limit, self._window = limit, window_s
        self._times: deque[float] = deque()

    def admit(self, count: int, now: float, reason: str) -> None:
        """Raises DeadLetterLimitError; then none of the `count` may be set aside."""
        while self._times and self._times[0] <= now - self._window:
            self._times.popleft()
        if len(self._times) + count > self._limit:
            raise DeadLetterLimitError(
                f"more than {self._limit} dead letters within {self._window:.0f} s, the last because {reason}; "
                "fix the stage or raise its dead-letter limit, then restart it: no offset was committed past them"
            )
        self._times.extend([now] * count)
