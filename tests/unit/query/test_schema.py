"""The schemas describe what is sent, and docs/api.md describes every field."""

from pathlib import Path

import jsonschema
import msgspec

from headwater.domain.answer import Answer, AsOf, Range, Result
from headwater.query.schema import all_schemas, answer_schema

RESULT = Result(repo="r", ref="f", commit="c", path="p", language="l", range=Range(1, 1, 1, 1, 2, 2))
DOCS = Path(__file__).parents[3] / "docs/api.md"


def test_an_answer_is_valid() -> None:
    answer = msgspec.json.decode(msgspec.json.encode(Answer(as_of=(AsOf("r", "f", "c"),), results=(RESULT,))))
    jsonschema.validate(answer, answer_schema())


def test_every_answer_has_a_schema() -> None:
    for schema in all_schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_the_documentation_names_every_field() -> None:
    text = DOCS.read_text()
    for kind in (Result, Range):
        missing = [f.name for f in msgspec.structs.fields(kind) if f"`{f.name}`" not in text]
        assert missing == []
