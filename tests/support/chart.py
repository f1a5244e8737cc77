"""The Helm chart, rendered by Helm itself (as a library)."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from helm_python import Chart

HELM = Path(__file__).resolve().parents[2] / "helm"
CHART = HELM / "headwater"
Manifest = dict[str, Any]

LEAST: dict[str, Any] = {
    "kafka": {"brokers": "kafka:9092"},
    "postgresql": {"host": "postgresql"},
    "milvus": {"address": "http://milvus:19530"},
    "triton": {"address": "triton:8001"},
    "access": {"anonymous": True},
    "services": {"query": {"secretSettings": {"page_secret": {"secret": "headwater", "key": "page-secret"}}}},
}


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """As Helm merges value files."""
    made = copy.deepcopy(dict(base))
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(made.get(key), Mapping)
        made[key] = merged(made[key], value) if both else copy.deepcopy(value)
    return made


def render(values: Mapping[str, Any], name: str = "demo") -> list[Manifest]:
    """Every manifest, checked against the schema. Raises HelmError."""
    with Chart.load(CHART) as chart:
        chart.validate_schema(dict(values))
        files = chart.render(dict(values), name=name, namespace="headwater")
    texts = (text for file, text in sorted(files.items()) if not file.endswith("NOTES.txt"))
    return [document for text in texts for document in yaml.safe_load_all(text) if document]


def least(**over: Any) -> list[Manifest]:
    """Rendered with the least that must be given, and `over`."""
    return render(merged(LEAST, over))


def example(name: str) -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load((CHART / "examples" / f"{name}.yaml").read_text("utf-8"))
    return values


def of_kind(manifests: list[Manifest], *kinds: str) -> dict[str, Manifest]:
    """By name without the release's prefix."""
    return {m["metadata"]["name"].removeprefix("demo-headwater-"): m for m in manifests if m["kind"] in kinds}


def pods(manifests: list[Manifest]) -> dict[str, Manifest]:
    """Pod specifications of everything that runs, by name."""
    templates = of_kind(manifests, "Deployment", "StatefulSet", "Job")
    made = {name: m["spec"]["template"]["spec"] for name, m in templates.items()}
    return made | {name: m["spec"] for name, m in of_kind(manifests, "Pod").items()}


def environment(pod: Manifest) -> dict[str, str]:
    """Variables with a value of their own, and those from elsewhere as an empty text."""
    return {e["name"]: e.get("value", "") for e in pod["containers"][0].get("env", ())}
