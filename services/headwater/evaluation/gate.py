"""The gate: a slice may not fall below its baseline by more than the interval of the figures allows."""

from collections.abc import Mapping
from typing import Any

import msgspec

_NOISE = 1e-9


class Fall(msgspec.Struct, frozen=True):
    """One figure that fell too far. `floor` is what the baseline's interval allows."""

    slice: str
    metric: str
    before: float
    now: float
    floor: float

    def __str__(self) -> str:
        return f"{self.slice} {self.metric}: {self.before:.4f} -> {self.now:.4f}, allowed down to {self.floor:.4f}"


def find_falls(baseline: Mapping[str, Any], report: Mapping[str, Any]) -> list[Fall]:
    """Guards every figure with an interval in the baseline; a slice that isn't measured any more has fallen to 0."""
    falls: list[Fall] = []
    for name, before in baseline["slices"].items():
        now = report["slices"].get(name, {})
        for metric, (low, _high) in before["intervals"].items():
            value = float(now.get(metric, 0.0))
            if value < low - _NOISE:
                falls.append(Fall(name, metric, float(before[metric]), value, low))
    return falls
