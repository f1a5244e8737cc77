"""Custom resources against the CRDs of KEDA, prometheus-operator and external-secrets (helm/crds)."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from authoring.crds import FOLDER, SOURCES, schemas
from support.chart import LEAST, Manifest, example, merged, render

SCHEMAS: dict[str, Any] = {file.stem: json.loads(file.read_text("utf-8")) for file in Path(FOLDER).glob("*.json")}
GROUPS = ("keda.sh/", "monitoring.coreos.com/", "external-secrets.io/")
VARIANTS = {
    "least": LEAST,
    "small, watched": merged(
        example("small"), {"monitoring": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True}}}
    ),
    "large": example("large"),
    "large without sasl": merged(example("large"), {"kafka": {"sasl": "none"}}),
    "large with password only": merged(example("large"), {"kafka": {"tls": False, "sasl": "plaintext"}}),
}


@cache
def custom(variant: str) -> list[Manifest]:
    return [m for m in render(VARIANTS[variant]) if m["apiVersion"].startswith(GROUPS)]


def problems(manifest: Manifest) -> list[str]:
    schema = SCHEMAS[f"{manifest['kind']}.{manifest['apiVersion'].split('/')[1]}"]
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(manifest)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_rendered_is_what_the_operators_define(variant: str) -> None:
    made = custom(variant)
    assert made
    assert [(m["kind"], m["metadata"]["name"], problems(m)) for m in made if problems(m)] == []


def test_the_examples_render_every_kind() -> None:
    assert {m["kind"] for m in custom("large")} == {name.split(".")[0] for name in SCHEMAS}


BREAKS: list[tuple[str, list[str | int], Any]] = [
    ("ScaledObject", ["spec", "maxReplicas"], 3),
    ("ScaledObject", ["spec", "minReplicaCount"], "three"),
    ("ScaledObject", ["spec", "triggers", 0, "metadata", "lagThreshold"], 5),
    ("ScaledObject", ["spec", "advanced", "horizontalPodAutoscalerConfig", "behavior", "scaledown"], {}),
    ("TriggerAuthentication", ["spec", "secretTargetRef", 0, "secret"], "x"),
    ("ServiceMonitor", ["spec", "endpoints", 0, "interval"], "often"),
    ("ServiceMonitor", ["spec", "endpoints", 0, "portname"], "health"),
    ("PrometheusRule", ["spec", "groups", 0, "rules", 0, "expression"], "up"),
    ("PrometheusRule", ["spec", "groups", 0, "interval"], "a while"),
    ("ExternalSecret", ["spec", "secretStoreRef", "kind"], "Vault"),
    ("ExternalSecret", ["spec", "dataFrom", 0, "extract"], {}),
]


@pytest.mark.parametrize(("kind", "path", "value"), BREAKS, ids=[f"{k}:{p[-1]}" for k, p, _v in BREAKS])
def test_a_wrong_field_is_refused(kind: str, path: list[str | int], value: Any) -> None:
    manifest = copy.deepcopy(next(m for m in custom("large") if m["kind"] == kind))
    assert problems(manifest) == []
    at: Any = manifest
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    assert problems(manifest) != []


def test_the_schemas_are_those_of_the_pinned_versions() -> None:
    pinned = {f"{s.module} {s.version} {file}, Apache-2.0" for s in SOURCES for file in s.files}
    assert {schema["$comment"] for schema in SCHEMAS.values()} == pinned, "run `make chart-crds`"


def test_a_schema_keeps_what_refuses_and_drops_what_only_says() -> None:
    declared = {
        "type": "object",
        "description": "…",
        "properties": {
            "port": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {}},
            "empty": {"type": "string", "nullable": True},
        },
    }
    version = {"name": "v1", "served": True, "schema": {"openAPIV3Schema": declared}}
    crd = {"spec": {"names": {"kind": "Thing"}, "versions": [version, {**version, "name": "v0", "served": False}]}}
    (made,) = schemas([("somewhere", crd)]).values()
    check = jsonschema.Draft7Validator(made).is_valid
    assert check({"port": 1, "free": {"any": 1}, "empty": None})
    assert check({"port": "http", "metadata": {"name": "x"}})
    assert not check({"port": 1.5})
    assert not check({"unknown": 1})
