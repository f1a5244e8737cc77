"""Makes a stage misbehave as distributed systems do: crashes, repeats, reorders. Bounded, seeded by the test."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from headwater.events import Event
from headwater.streaming.stage import Outgoing, Stage


class CrashError(Exception):
    """The process is gone: whatever was queued is lost, whatever was durable stays."""


class ChaosStage:
    """Wraps a stage. Before or after the real work it may crash, repeat the batch, or shuffle it and its output."""

    def __init__(self, stage: Stage[Any], dice: random.Random, crash: float, repeat: float) -> None:
        self.name = stage.name
        self._stage, self._dice, self._crash, self._repeat = stage, dice, crash, repeat

    def handle(self, batch: Sequence[Event]) -> Iterable[Outgoing]:
        shuffled = list(batch)
        self._dice.shuffle(shuffled)
        self._maybe_crash()
        messages = list(self._stage.handle(shuffled))
        if self._dice.random() < self._repeat:
            messages += list(self._stage.handle(shuffled))
        self._maybe_crash()
        self._dice.shuffle(messages)
        return messages

    def _maybe_crash(self) -> None:
        if self._dice.random() < self._crash:
            raise CrashError(self.name)
