"""How much time a question has left."""

import time
from collections.abc import Callable

from headwater.domain.query_error import CancelledError, DeadlinePassedError
from headwater.runtime.cancellation import Cancellation, current_cancellation

DEFAULT_SECONDS = 10.0
MAX_SECONDS = 120.0


class Deadline:
    """Counts down on a monotonic clock from the moment it is made; passes at once when the caller is gone."""

    def __init__(
        self,
        seconds: float | None,
        clock: Callable[[], float] = time.monotonic,
        cancellation: Cancellation | None = None,
    ) -> None:
        """Without `cancellation` the one that applies where it is made."""
        self._clock, self.cancellation = clock, cancellation or current_cancellation()
        self._end = clock() + min(seconds if seconds and seconds > 0 else DEFAULT_SECONDS, MAX_SECONDS)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return 0.0 if self.cancellation.cancelled else max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        return self.remaining() <= 0

    def check(self) -> None:
        """Raises DeadlinePassedError once the time is up, CancelledError once nobody waits for the answer."""
        if self.cancellation.cancelled:
            raise cancelled()
        if self.passed:
            raise deadline_passed()

    def share(self, fraction: float) -> float:
        """Seconds that a part may use, so that something is left for the rest."""
        return self.remaining() * fraction


def deadline_passed() -> DeadlinePassedError:
    return DeadlinePassedError("DEADLINE_PASSED", "the deadline passed: give more time or narrow the question")


def cancelled() -> CancelledError:
    return CancelledError("CANCELLED", "the call was cancelled: ask again")
