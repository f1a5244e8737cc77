"""The intermediate query: its schema, its round trip, its words."""

import json
from pathlib import Path

import jsonschema
import pytest

from headwater.limits import Limits
from headwater.structural.admission import decode
from headwater.structural.query import (
    OPPOSITE,
    Construct,
    Count,
    Name,
    Node,
    Not,
    Related,
    Relation,
    Value,
    encode,
    json_schema,
    query,
)
from headwater.structural.render import render
from headwater.structural.walk import complexity, required_nodes

SCHEMA = Path(__file__).parents[3] / "schemas/structural/query.v1.schema.json"
LOOP = Related(Relation.INSIDE, Node(Construct.LOOP))
EMPTY = Related(Relation.ARGUMENT, Node(Construct.LITERAL, (Value(""),)), 0)
QUERY = query(Node(Construct.CALL, (Name("equals"), Count(1), Not(LOOP), EMPTY)), "java")


def test_schema_file_equals_the_types() -> None:
    assert json.loads(SCHEMA.read_text()) == json_schema()


def test_encoded_query_fits_the_schema_and_decodes() -> None:
    jsonschema.validate(json.loads(encode(QUERY)), json_schema())
    assert decode(encode(QUERY).decode(), Limits()) == QUERY


@pytest.mark.parametrize(
    "raw", ['{"version":2,"target":{"construct":"call"}}', '{"version":1,"target":{"construct":"x"}}']
)
def test_other_version_or_construct_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match="Invalid enum value"):
        decode(raw, Limits())


def test_render_says_every_condition() -> None:
    assert render(QUERY) == (
        "Find every call to `equals` with exactly 1 argument and not (inside a loop) "
        "and with a literal with the value `` as argument 1 in java."
    )


def test_complexity_counts_constructs() -> None:
    assert complexity(QUERY.target) == 3


def test_required_nodes_leave_out_what_may_be_absent() -> None:
    assert [node.construct for node in required_nodes(QUERY.target)] == [Construct.CALL, Construct.LITERAL]


def test_every_relation_has_an_opposite() -> None:
    assert {OPPOSITE[OPPOSITE[relation]] for relation in Relation} == set(Relation)
