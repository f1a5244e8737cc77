"""How much time a question has left."""

import time
from collections.abc import Callable

from headwater.domain.query_error import DeadlinePassedError

DEFAULT_SECONDS = 10.0
MAX_SECONDS = 120.0


class Deadline:
    """Counts down on a monotonic clock from the moment it is made."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + min(seconds if seconds and seconds > 0 else DEFAULT_SECONDS, MAX_SECONDS)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        return self.remaining() <= 0

    def check(self) -> None:
        """Raises DeadlinePassedError once the time is up."""
        if self.passed:
            raise deadline_passed()

    def share(self, fraction: float) -> float:
        """Seconds that a part may use, so that something is left for the rest."""
        return self.remaining() * fraction


def deadline_passed() -> DeadlinePassedError:
    return DeadlinePassedError("DEADLINE_PASSED", "the deadline passed: give more time or narrow the question")
