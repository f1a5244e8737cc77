"""A circuit breaker as a pure state machine: after some failures in a row it refuses, then lets one request probe."""

from enum import IntEnum


class BreakerState(IntEnum):
    """The values are those of the metric."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


class Breaker:
    """Not thread-safe; `now` is monotonic seconds. Every admitted request must end in `succeeded` or `failed`."""

    def __init__(self, failures: int = 5, cool_down_s: float = 5.0) -> None:
        self._most, self._cool_down = failures, cool_down_s
        self._failures, self._opened_at = 0, 0.0
        self.state = BreakerState.CLOSED

    def admit(self, now: float) -> bool:
        """Whether a request may be sent. The first one after the cool-down is the probe; others wait for its end."""
        if self.state is BreakerState.CLOSED:
            return True
        if now - self._opened_at < self._cool_down:
            return False
        self.state = BreakerState.HALF_OPEN
        self._opened_at = now  # a probe that never ends lets the next one go after another cool-down
        return True

    def succeeded(self) -> None:
        self.state, self._failures = BreakerState.CLOSED, 0

    def failed(self, now: float) -> None:
        self._failures += 1
        if self.state is BreakerState.HALF_OPEN or self._failures >= self._most:
            self.state, self._opened_at = BreakerState.OPEN, now

    def retry_in_s(self, now: float) -> float:
        return max(0.0, self._opened_at + self._cool_down - now) if self.state is not BreakerState.CLOSED else 0.0
