"""Topology, schemas, extras, settings classes and the chart's values name the same sets; needs no Helm."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest
import yaml

from authoring.__main__ import stale
from authoring.schema import OWN, is_secret
from authoring.services import module_of, settings_of, subscriptions
from headwater.deployment.services import SERVICES
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_runner import _sides
from headwater.streaming.runner_settings import RunnerSettings
from headwater.topology import STAGES

ROOT = Path(__file__).resolve().parents[3]
CHART = ROOT / "helm" / "headwater"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
SCHEMA = json.loads((CHART / "values.schema.json").read_text("utf-8"))["properties"]


def test_generated_files_are_fresh() -> None:
    assert [file.name for file in stale()] == [], "run `make chart-files`"


def test_services_are_the_stages_and_query() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(SERVICES) == {stage.name for stage in STAGES} | {"query"}
    assert list(VALUES["services"]) == list(SCHEMA["services"]["properties"]) == list(SERVICES)
    assert set(SERVICES) <= extras.keys()
    assert all(module_of(service).SETTINGS for service in SERVICES)


@pytest.mark.parametrize("service", SERVICES)
def test_each_setting_can_be_given_or_is_the_charts_own(service: str) -> None:
    fields = {field.name for field in msgspec.structs.fields(settings_of(service)[service])}
    own = SCHEMA["services"]["properties"][service]["properties"]
    given = set(own["settings"]["properties"]) | set(own["secretSettings"]["properties"])
    assert given == fields - OWN
    assert {name for name in fields if is_secret(name)} == set(own["secretSettings"]["properties"])


def test_shared_settings_are_those_that_services_read() -> None:
    parts = {part for service in SERVICES for part in settings_of(service) if part != service}
    given = set(SCHEMA["settings"]["properties"])
    assert set(VALUES["settings"]) == given
    assert given | {"caller", "catalog"} == parts | {"tracing"}, "those are the chart's own"


@pytest.mark.parametrize("stage", [s for s in STAGES if s.consumes and s.name != "ast-chunker"], ids=lambda s: s.name)
def test_groups_are_those_that_the_runner_joins(stage: object, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: set[tuple[str, str]] = set()

    def intake(_connection: object, group: str, topics: list[str], _instance: str) -> object:
        joined.update((topic, group) for topic in topics)
        return object()

    monkeypatch.setattr("headwater.streaming.kafka_runner.Intake", intake)
    _sides(Connection("kafka:9092"), stage, RunnerSettings())  # type: ignore[arg-type]
    assert {(s.topic, s.group) for s in subscriptions(stage.name)} == joined  # type: ignore[attr-defined]
