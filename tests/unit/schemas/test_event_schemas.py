"""The committed schemas are those of the types, their examples hold, and no change breaks what is already written."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.event_schemas import as_text, event_schemas, schema_file
from headwater.streaming.schema_compatibility import breaking_changes
from headwater.streaming.topic_settings import schemas_folder
from headwater.topology import TOPICS

SCHEMAS = schemas_folder()
EXAMPLES = sorted((SCHEMAS / "examples").rglob("*.json"))
VALID = [p for p in EXAMPLES if p.name.startswith("valid-")]
BAD = [p for p in EXAMPLES if p.name.startswith("bad-")]


def _schema(topic: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / "events" / schema_file(topic)).read_text("utf-8"))
    return loaded


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_committed_schemas_equal_the_types() -> None:
    committed = {p.name: p.read_text("utf-8") for p in (SCHEMAS / "events").iterdir()}
    made = {name: as_text(schema) for name, schema in event_schemas().items()}
    stale = sorted(name for name in made.keys() | committed.keys() if made.get(name) != committed.get(name))
    assert not stale, "run `python -m headwater.streaming.event_schemas` and look at the difference"


def test_every_topic_has_valid_and_bad_examples() -> None:
    assert {p.parent.name for p in VALID} == set(TOPICS)
    assert {p.parent.name for p in BAD} == set(TOPICS)
    assert len(VALID) + len(BAD) == len(EXAMPLES)


@pytest.mark.parametrize("example", VALID, ids=_name)
def test_valid_examples_pass_schema_and_codec(example: Path) -> None:
    content = example.read_bytes()
    jsonschema.validate(json.loads(content), _schema(example.parent.name))
    event = decode_event(example.parent.name, content)
    assert decode_event(example.parent.name, encode_event(event)) == event


@pytest.mark.parametrize("example", BAD, ids=_name)
def test_bad_examples_fail_schema_and_codec(example: Path) -> None:
    content = example.read_bytes()
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(content), _schema(example.parent.name))
    with pytest.raises(InvalidEventError, match="not a valid event"):
        decode_event(example.parent.name, content)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_schema_breaks_its_baseline(topic: str) -> None:
    baseline = json.loads((SCHEMAS / "baseline" / schema_file(topic)).read_text("utf-8"))
    assert breaking_changes(baseline, _schema(topic)) == []
