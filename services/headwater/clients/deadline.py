"""An outer deadline for client libraries that don't keep their own: the caller goes on, the request is given up."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TypeVar

T = TypeVar("T")


class DeadlineError(Exception):
    """No answer in time."""


class BusyError(Exception):
    """As many requests are under way, or given up but not ended, as may be."""


class DeadlineCaller:
    """At most `most` calls at once; what is over that is refused at once instead of queued (F7)."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._free = threading.BoundedSemaphore(most)
        self._pool = ThreadPoolExecutor(most, name)

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """Raises DeadlineError, BusyError, or whatever `work` raises."""
        if not self._free.acquire(blocking=False):
            raise BusyError(f"{self._most} requests are under way")
        future = self._pool.submit(work)
        future.add_done_callback(lambda _done: self._free.release())
        try:
            return future.result(seconds)
        except FutureTimeoutError:
            if future.done():
                raise  # the work's own timeout
            raise DeadlineError(f"no answer within {seconds:g} s") from None

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
