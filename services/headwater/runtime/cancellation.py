"""The signal that a caller is gone or the process ends: whoever works or waits for the caller listens to it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Wake = Callable[[], object]


class Cancellation:
    """Given once, from any thread; heard by all."""

    def __init__(self) -> None:
        self._lock, self._cancelled = threading.Lock(), False
        self._wakes: dict[object, Wake] = {}

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            self._cancelled, wakes = True, list(self._wakes.values())
            self._wakes.clear()
        for wake in wakes:
            wake()

    @contextmanager
    def told(self, wake: Wake) -> Iterator[None]:
        """`wake` is called once it is given, at once where it has been; from the thread that gives it."""
        key = object()
        with self._lock:
            self._wakes[key] = wake
        if self._cancelled:
            wake()
        try:
            yield
        finally:
            with self._lock:
                self._wakes.pop(key, None)


_CURRENT: ContextVar[Cancellation | None] = ContextVar("cancellation", default=None)


@contextmanager
def cancelled_by(cancellation: Cancellation) -> Iterator[None]:
    """Every deadline that is made inside, in this thread or task, passes once the signal is given."""
    token = _CURRENT.set(cancellation)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current_cancellation() -> Cancellation:
    """The one that applies here; one that nobody gives where there is none."""
    return _CURRENT.get() or Cancellation()
