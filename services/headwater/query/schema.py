"""JSON Schemas of what the engine answers, derived from the types that are sent."""

from typing import Any

import msgspec

from headwater.domain.answer import Answer, ContextAnswer, FilesAnswer, FreshnessAnswer


def answer_schema() -> dict[str, Any]:
    """Of `search`, `defs`, `usages` and `grep`."""
    return msgspec.json.schema(Answer)


def all_schemas() -> dict[str, dict[str, Any]]:
    """By the name of the answer."""
    return {kind.__name__: msgspec.json.schema(kind) for kind in (Answer, ContextAnswer, FilesAnswer, FreshnessAnswer)}
