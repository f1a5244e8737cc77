"""The JSON Schemas of the events, made from their types; `python -m headwater.streaming.event_schemas` writes them."""

import sys
from typing import Any

import msgspec

from headwater.streaming.topic_settings import schemas_folder
from headwater.topology import TOPICS

VERSION = 1


def schema_file(topic: str) -> str:
    """commit-received -> commit-received.v1.schema.json"""
    return f"{topic}.v{VERSION}.schema.json"


def event_schemas() -> dict[str, dict[str, Any]]:
    """One self-contained schema per topic, by file name."""
    schemas = {}
    for topic in TOPICS.values():
        schema = msgspec.json.schema(topic.event)
        definitions = schema.pop("$defs")
        own = definitions.pop(topic.event.__name__)
        own = {"$schema": "https://json-schema.org/draft/2020-12/schema", **own}
        schemas[schema_file(topic.name)] = {**own, "$defs": definitions} if definitions else own
    return schemas


def as_text(schema: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2).decode() + "\n"


def main() -> int:
    folder = schemas_folder() / "events"
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in event_schemas().items():
        (folder / name).write_text(as_text(schema), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
