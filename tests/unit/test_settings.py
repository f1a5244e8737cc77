"""Settings come from the environment, are checked whole, and describe themselves."""

from typing import Annotated

import msgspec
import pytest

from headwater.settings import SettingsError, describe_settings, load_settings


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    brokers: Annotated[str, msgspec.Meta(description="Kafka's addresses", min_length=1)]
    batch: Annotated[int, msgspec.Meta(description="events in one batch", ge=1)] = 64
    fast: bool = False
    models: tuple[str, ...] = ()


def test_values_are_read_and_converted() -> None:
    environ = {
        "HEADWATER_VECTOR_SINK_BROKERS": "h:1",
        "HEADWATER_VECTOR_SINK_BATCH": "8",
        "HEADWATER_VECTOR_SINK_FAST": "true",
        "HEADWATER_VECTOR_SINK_MODELS": "a,b",
        "HEADWATER_QUERY_BATCH": "not ours",
    }
    assert load_settings(Sample, "vector-sink", environ) == Sample(brokers="h:1", batch=8, fast=True, models=("a", "b"))


def test_every_problem_is_named_at_once() -> None:
    environ = {"HEADWATER_VECTOR_SINK_BATCH": "0", "HEADWATER_VECTOR_SINK_BACTH": "8"}
    with pytest.raises(SettingsError) as caught:
        load_settings(Sample, "vector-sink", environ)
    text = str(caught.value)
    assert "HEADWATER_VECTOR_SINK_BACTH is not a setting of vector-sink" in text
    assert "HEADWATER_VECTOR_SINK_BATCH: expected `int` >= 1" in text
    assert "HEADWATER_VECTOR_SINK_BROKERS is required: Kafka's addresses" in text


def test_settings_describe_themselves() -> None:
    rows = describe_settings(Sample, "vector-sink")
    assert [(r.variable, r.default, r.required) for r in rows][:2] == [
        ("HEADWATER_VECTOR_SINK_BROKERS", "", True),
        ("HEADWATER_VECTOR_SINK_BATCH", "64", False),
    ]
    assert rows[1].description == "events in one batch"
