"""Live pushes and bulk loads travel in topics of their own, so that neither delays the other."""

from enum import StrEnum


class Lane(StrEnum):
    """Which of the two topics of a kind an event travels in."""

    LIVE = "live"
    BULK = "bulk"
