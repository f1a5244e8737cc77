"""A stage's settings: from the environment, with a properties file, refused as a whole when wrong."""

from pathlib import Path

import pytest

from headwater.settings import SettingsError, describe_settings, load_settings
from headwater.streaming.broker_access import read_properties
from headwater.streaming.service_runner import StageSettings, stage_spec
from headwater.topology import STAGES


def test_a_stage_is_configured_from_the_environment(tmp_path: Path) -> None:
    properties = tmp_path / "kafka.properties"
    properties.write_text("# where we are\nsecurity.protocol = SSL\nsasl.password=a=b\n\n", "utf-8")
    environ = {
        "HEADWATER_EMBEDDER_BROKERS": "k1:9092,k2:9092",
        "HEADWATER_EMBEDDER_KAFKA_PROPERTIES": str(properties),
        "HEADWATER_EMBEDDER_INSTANCE": "embedder-2",
        "HEADWATER_EMBEDDER_ATTEMPTS": "7",
    }
    settings = load_settings(StageSettings, "embedder", environ)
    configuration = settings.access().connection().configuration()
    assert configuration["bootstrap.servers"] == "k1:9092,k2:9092"
    assert configuration["security.protocol"] == "SSL"
    assert configuration["sasl.password"] == "a=b"
    assert settings.runner_settings().instance == "embedder-2"
    assert settings.runner_settings().policy.attempts == 7


def test_an_unreadable_properties_file_is_named() -> None:
    with pytest.raises(SettingsError, match="can't read the Kafka properties"):
        read_properties("/nowhere/kafka.properties")


@pytest.mark.parametrize(("field", "value"), [("RUNNER", "spark"), ("BATCH", "0"), ("HEALTH_PORT", "70000")])
def test_a_wrong_value_is_refused(field: str, value: str) -> None:
    environ = {"HEADWATER_EMBEDDER_BROKERS": "k:1", f"HEADWATER_EMBEDDER_{field}": value}
    with pytest.raises(SettingsError, match=f"HEADWATER_EMBEDDER_{field}"):
        load_settings(StageSettings, "embedder", environ)


def test_every_setting_is_described() -> None:
    assert all(row.description for row in describe_settings(StageSettings, "embedder"))


def test_every_stage_is_known_by_its_name() -> None:
    assert [stage_spec(spec.name) for spec in STAGES] == list(STAGES)
    with pytest.raises(KeyError):
        stage_spec("no-such-stage")
