"""How many may wait or stream at once, in all and of one caller; whoever comes then is told when to try again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.domain.query_error import ExhaustedError
from headwater.limits import count_reached

RETRY_AFTER_S = 5.0


class Capacity:
    """Used from one thread alone: the event loop's."""

    def __init__(self, most: int, most_each: int, limit: str) -> None:
        """`limit` is the field in `Limits` of `most`; `most_each` is its neighbour, `…_each`."""
        self._most, self._most_each, self._limit = most, most_each, limit
        self._taken: Counter[str] = Counter()

    @contextmanager
    def place(self, caller: str) -> Iterator[None]:
        """Raises ExhaustedError."""
        for taken, most, limit in (
            (self._taken.total(), self._most, self._limit),
            (self._taken[caller], self._most_each, f"{self._limit}_each"),
        ):
            if taken >= most:
                count_reached(limit)
                what = self._limit.replace("_", " ")
                raise ExhaustedError("TOO_MANY", f"{most} {what} are there already: try again later", RETRY_AFTER_S)
        self._taken[caller] += 1
        try:
            yield
        finally:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]
