"""The committed schema of the policy file is that of its type, and its example holds."""

import json

import jsonschema
import msgspec
import pytest
import yaml

from headwater.domain.policy import PolicyError, PolicyFile, parse_policy
from headwater.streaming.topic_settings import schemas_folder

FOLDER = schemas_folder() / "policy"


def policy_schema() -> dict[str, object]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(PolicyFile)}


def test_the_committed_schema_equals_the_type() -> None:
    committed = json.loads((FOLDER / "policy.v1.schema.json").read_text("utf-8"))
    assert committed == json.loads(json.dumps(policy_schema()))


def test_the_example_passes_both() -> None:
    tree = yaml.safe_load((FOLDER / "example.yaml").read_text("utf-8"))
    jsonschema.validate(tree, policy_schema())
    assert parse_policy(tree).grants


@pytest.mark.parametrize("wrong", [{"version": 1}, {"version": 1, "grants": [{"to": ["bob"], "repositories": ["x"]}]}])
def test_a_bad_policy_fails_both(wrong: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, policy_schema())
    with pytest.raises(PolicyError):
        parse_policy(wrong)
