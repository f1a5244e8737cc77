"""How many structural questions are worked on at once: each holds a place for a step of its answer, none between."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import TypeVar

from headwater.domain.query_error import ExhaustedError
from headwater.limits import count_reached
from headwater.structural.deadline import Remaining, check

_LOOK_EVERY_S = 0.05  # whether a caller that waits is still there
_DONE = object()
T = TypeVar("T")


class Places:
    """Safe to use from several threads. Work holds the interpreter, so more at once would only be slower for all."""

    def __init__(self, most: int, most_waiting: int) -> None:
        self._free, self._most_waiting = most, most_waiting
        self._waiting, self._changed = 0, Condition()

    def each(self, parts: Iterator[T], remaining: Remaining) -> Iterator[T]:
        """The parts; a place is held while one is made, and free while the caller takes it.

        Raises ExhaustedError before the first when too many wait already, OutOfTimeError when the time passes in wait
        for the first. Whoever waits for a later part gets it once its time is up, to say how far it came.
        """
        first = True
        while True:
            with self._place(remaining, first=first):
                part = next(parts, _DONE)
            if part is _DONE:
                return
            first = False
            yield part  # type: ignore[misc]

    @contextmanager
    def _place(self, remaining: Remaining, *, first: bool) -> Iterator[None]:
        held = self._taken(remaining, first=first)
        try:
            yield
        finally:
            if held:
                with self._changed:
                    self._free += 1
                    self._changed.notify()

    def _taken(self, remaining: Remaining, *, first: bool) -> bool:
        with self._changed:
            if first and not self._free and self._waiting >= self._most_waiting:
                count_reached("structural_waiting")
                raise ExhaustedError("TOO_MANY", "too many structural questions wait for an answer: ask again soon")
            self._waiting += 1
            try:
                while not self._free:
                    if first:
                        check(remaining)
                    elif remaining() <= 0:
                        return False
                    self._changed.wait(_LOOK_EVERY_S)
                self._free -= 1
                return True
            finally:
                self._waiting -= 1
