"""Which generations readers hold, so that `collect` keeps them."""

from collections.abc import Collection, Iterable
from typing import Protocol


class Pins(Protocol):
    """(view id, generation) pairs, counted; what one process holds is seen by the process that collects."""

    def hold(self, pins: Iterable[tuple[int, int]]) -> None: ...

    def release(self, pins: Iterable[tuple[int, int]]) -> None: ...

    def held(self) -> Collection[tuple[int, int]]: ...

    def close(self) -> None: ...
