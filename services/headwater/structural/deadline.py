"""How a search that runs out of time stops between two steps of its work."""

from collections.abc import Callable
from typing import TypeAlias

Remaining: TypeAlias = Callable[[], float]  # seconds


class OutOfTimeError(Exception):
    """The time is up; what was found until then stands."""


def unlimited() -> float:
    return float("inf")


def check(remaining: Remaining) -> None:
    """Raises OutOfTimeError."""
    if remaining() <= 0:
        raise OutOfTimeError
