"""Pauses double up to a cap; dead letters are limited per window."""

import pytest

from headwater.streaming.back_off import BackOff, DeadLetterLimit, DeadLetterLimitError


def test_pauses_double_up_to_the_cap() -> None:
    back_off = BackOff(0.1, 1.0)
    assert [back_off.pause_s(n) for n in (1, 2, 3, 4, 5, 500)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_the_limit_stops_the_stage_before_anything_is_set_aside() -> None:
    limit = DeadLetterLimit(3, 60)
    limit.admit(2, 0, "bad")
    with pytest.raises(DeadLetterLimitError, match="more than 3 dead letters within 60 s, the last because worse"):
        limit.admit(2, 10, "worse")
    limit.admit(1, 10, "bad")


def test_the_window_moves() -> None:
    limit = DeadLetterLimit(1, 60)
    limit.admit(1, 0, "bad")
    with pytest.raises(DeadLetterLimitError):
        limit.admit(1, 59, "bad")
    limit.admit(1, 60, "bad")
