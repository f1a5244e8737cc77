"""Every metric is declared once, named by the rule, and can't be used otherwise."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest

import headwater
from headwater.metrics import DECLARED, Kind, Metrics, UndeclaredMetricError

WRITERS = {Kind.COUNTER: {"count"}, Kind.GAUGE: {"set"}, Kind.HISTOGRAM: {"observe", "timed"}}

NAME = re.compile(
    r"headwater(_[a-z0-9]+)+_(seconds|bytes|events|files|views|chunks|requests|partitions|handles|rows|letters)"
)
WITHOUT_UNIT = {
    *("headwater_breaker_state", "headwater_vectors_writes_paused"),
    *("headwater_rollout_phase", "headwater_rollout_gate_passed"),
}


@pytest.mark.parametrize("metric", DECLARED, ids=lambda m: m.name)
def test_names_follow_the_rule(metric: object) -> None:
    from headwater.metrics import Metric

    assert isinstance(metric, Metric)
    if metric.kind is Kind.COUNTER:
        assert re.fullmatch(r"headwater(_[a-z0-9]+)+_total", metric.name)
    elif metric.name not in WITHOUT_UNIT:
        assert NAME.fullmatch(metric.name) or metric.name.endswith("_unreferenced_rows")
    assert metric.help
    assert (metric.kind is Kind.HISTOGRAM) == bool(metric.buckets)


def test_names_are_unique() -> None:
    assert len({m.name for m in DECLARED}) == len(DECLARED)


def written() -> Iterator[tuple[str, str]]:
    """(method, metric) of every call in the product that writes a metric."""
    for file in Path(headwater.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            match node:
                case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=str(name)), *_]):
                    yield method, name


def test_every_declared_metric_is_written_by_some_code() -> None:
    calls = set(written())
    unwritten = [m.name for m in DECLARED if not any((method, m.name) in calls for method in WRITERS[m.kind])]
    assert unwritten == []


def test_what_is_counted_is_exported() -> None:
    metrics = Metrics()
    metrics.count("headwater_stage_retries_total", stage="embedder")
    metrics.set("headwater_catalog_bytes", 12)
    with metrics.timed("headwater_query_part_seconds", part="vector"):
        pass
    text = generate_latest(metrics.registry).decode()
    assert 'headwater_stage_retries_total{stage="embedder"} 1.0' in text
    assert "headwater_catalog_bytes 12.0" in text
    assert 'headwater_query_part_seconds_count{part="vector"} 1.0' in text


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("headwater_unknown_total", {}),
        ("headwater_stage_retries_total", {}),
        ("headwater_stage_retries_total", {"stage": "a", "lane": "b"}),
        ("headwater_catalog_bytes", {}),
    ],
)
def test_undeclared_use_raises(name: str, labels: dict[str, str]) -> None:
    with pytest.raises(UndeclaredMetricError):
        Metrics().count(name, **labels)


def test_a_forgotten_partition_is_no_longer_exported() -> None:
    metrics = Metrics()
    labels = {"stage": "embedder", "topic": "chunk-changed", "partition": "3"}
    metrics.set("headwater_stage_lag_events", 4, **labels)
    metrics.forget("headwater_stage_lag_events", **labels)
    metrics.forget("headwater_stage_lag_events", **labels)
    assert 'partition="3"' not in generate_latest(metrics.registry).decode()
