"""Bootstrap intervals: how far a mean over these questions could be off by the choice of questions."""

import random
from collections.abc import Sequence

_RESAMPLES = 1000
_SEED = 20240229  # fixed: the same figures always give the same interval


def interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean; (0, 0) for no values."""
    if not values:
        return (0.0, 0.0)
    rng = random.Random(_SEED)
    n = len(values)
    means = sorted(sum(rng.choices(values, k=n)) / n for _ in range(_RESAMPLES))
    cut = int((1 - level) / 2 * _RESAMPLES)
    return (means[cut], means[_RESAMPLES - 1 - cut])
