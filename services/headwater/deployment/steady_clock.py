"""Epoch seconds that no step of the system's clock moves."""

import time


class SteadyClock:
    """The system's time at the start, and from then on by the monotonic clock."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def __call__(self) -> float:
        return self._offset + time.monotonic()
