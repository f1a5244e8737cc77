"""How a search that runs out of time or of work stops between two steps."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Remaining: TypeAlias = Callable[[], float]  # seconds


class CutShortError(Exception):
    """The search ends here; what was found until then stands."""


class OutOfTimeError(CutShortError):
    """The time is up, or the caller is gone."""


class OutOfWorkError(CutShortError):
    """The question looked at as many nodes as one question may."""


def unlimited() -> float:
    return float("inf")


def check(remaining: Remaining) -> None:
    """Raises OutOfTimeError."""
    if remaining() <= 0:
        raise OutOfTimeError


@dataclass(slots=True)
class Work:
    """What one question may still cost: the time that remains, and looks at nodes, which no busy machine makes fewer.

    Whoever does a piece of work pays for it before, in pieces of at most some 100 ms: so soon a question ends.
    """

    remaining: Remaining = unlimited
    visits: float = float("inf")

    def check(self) -> None:
        """Raises OutOfTimeError."""
        check(self.remaining)

    def spend(self, visits: int) -> None:
        """Raises OutOfTimeError, OutOfWorkError."""
        self.check()
        self.visits -= visits
        if self.visits < 0:
            raise OutOfWorkError


UNBOUNDED = Work()  # for code that no caller waits for
