"""The gate: falls beyond the interval fail, noise and gains don't."""

from typing import Any

from headwater.evaluation.bootstrap import interval
from headwater.evaluation.gate import find_falls


def report(**slices: dict[str, Any]) -> dict[str, Any]:
    return {"slices": slices}


BASELINE = report(nl={"mrr@10": 0.6, "intervals": {"mrr@10": (0.5, 0.7)}})


def test_within_the_interval_or_better_is_no_fall() -> None:
    assert find_falls(BASELINE, report(nl={"mrr@10": 0.5})) == []
    assert find_falls(BASELINE, report(nl={"mrr@10": 0.9})) == []


def test_below_the_interval_is_a_fall() -> None:
    (fall,) = find_falls(BASELINE, report(nl={"mrr@10": 0.49}))
    assert (fall.slice, fall.metric, fall.floor) == ("nl", "mrr@10", 0.5)


def test_a_slice_that_is_gone_has_fallen() -> None:
    assert find_falls(BASELINE, report())


def test_intervals_are_reproducible_and_hold_the_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.5] * 20
    low, high = interval(values)
    assert (low, high) == interval(values)
    assert low < sum(values) / len(values) < high
    assert interval([]) == (0.0, 0.0)
