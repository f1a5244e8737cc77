"""Limits are declared once: each has a setting, a unit and an outcome, and docs/limits.md shows just these."""

from pathlib import Path

import pytest

from headwater.limits import Limits, count_reached, limit_rows, limits_page
from headwater.metrics import METRICS
from headwater.settings import SettingsError, load_settings

PAGE = Path(__file__).parents[2] / "docs/limits.md"


def test_the_page_is_what_the_code_declares() -> None:
    assert PAGE.read_text() == limits_page(), "run: python -m headwater.limits docs/limits.md"


def test_each_limit_says_what_it_bounds_in_which_unit_and_what_is_seen() -> None:
    for row in limit_rows():
        assert row.bounds, row
        assert row.unit, row
        assert row.outcome, row


def test_a_limit_is_a_setting_that_is_checked() -> None:
    assert load_settings(Limits, "limits", {"HEADWATER_LIMITS_QUESTION_BYTES": "99"}).question_bytes == 99
    with pytest.raises(SettingsError, match="HEADWATER_LIMITS_QUESTION_BYTES"):
        load_settings(Limits, "limits", {"HEADWATER_LIMITS_QUESTION_BYTES": "0"})


def test_reaching_a_limit_is_counted() -> None:
    before = METRICS.registry.get_sample_value("headwater_limits_reached_total", {"limit": "question_bytes"}) or 0
    count_reached("question_bytes")
    after = METRICS.registry.get_sample_value("headwater_limits_reached_total", {"limit": "question_bytes"})
    assert after == before + 1
