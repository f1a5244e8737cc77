"""How a stage is run, whichever runner runs it."""

import msgspec

from headwater.events import Lane
from headwater.streaming.back_off import BackOff
from headwater.streaming.settlement import Policy


class RunnerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What differs from stage to stage."""

    instance: str = "0"
    lanes: tuple[Lane, ...] = tuple(Lane)
    batch: int = 64
    bulk_batch: int = 32  # smaller, so that a live event waits less
    gather_s: float = 0.005
    transactions: bool = True
    policy: Policy = Policy()
    back_off: BackOff = BackOff()
    dead_letters: int = 100  # at most, in a window
    dead_letter_window_s: float = 300.0
