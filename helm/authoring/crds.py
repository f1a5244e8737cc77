"""`python -m authoring.crds`: JSON schemas of the custom resources that the chart renders, from their projects' CRDs.

The CRDs come from the projects' Go modules, so `go` is needed to write the schemas, and not to check against them.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

Schema = dict[str, Any]
FOLDER = Path(__file__).resolve().parents[1] / "crds"


class Source(msgspec.Struct, frozen=True):
    """A Go module and the files in it that define what we render."""

    module: str
    version: str
    files: tuple[str, ...]


SOURCES = (
    Source(
        "github.com/kedacore/keda/v2",
        "v2.21.0",
        (
            "config/crd/bases/keda.sh_scaledobjects.yaml",
            "config/crd/bases/keda.sh_triggerauthentications.yaml",
        ),
    ),
    Source(
        "github.com/prometheus-operator/prometheus-operator",
        "v0.85.0",
        (
            "example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
            "example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
        ),
    ),
    Source(
        "github.com/external-secrets/external-secrets",
        "v1.3.2",
        ("config/crds/bases/external-secrets.io_externalsecrets.yaml",),
    ),
)


def definitions() -> list[tuple[str, Schema]]:
    """(where it is from, the CRD) of every file, by go's module download. Raises CalledProcessError."""
    return [
        (f"{source.module} {source.version} {file}, Apache-2.0", yaml.safe_load((folder / file).read_text("utf-8")))
        for source in SOURCES
        for folder in [_downloaded(source)]
        for file in source.files
    ]


def schemas(found: list[tuple[str, Schema]]) -> dict[str, Schema]:
    """By file name, one strict schema a served version: what it doesn't declare is refused."""
    return {
        f"{crd['spec']['names']['kind']}.{version['name']}.json": {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$comment": origin,
            **strict({**version["schema"]["openAPIV3Schema"]}, root=True),
        }
        for origin, crd in found
        for version in crd["spec"]["versions"]
        if version["served"]
    }


def strict(node: Schema, root: bool = False) -> Schema:
    """A structural schema of Kubernetes as draft-07, as the API server validates with `fieldValidation=Strict`."""
    if node.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"], **({"pattern": node["pattern"]} if "pattern" in node else {})}
    made = dict(_kept(node))
    if "properties" in node:
        made["properties"] = {name: strict(inner) for name, inner in node["properties"].items()}
        if not node.get("x-kubernetes-preserve-unknown-fields") and "additionalProperties" not in node:
            made["additionalProperties"] = False
    if isinstance(node.get("additionalProperties"), dict):
        made["additionalProperties"] = strict(node["additionalProperties"])
    if "items" in node:
        made["items"] = strict(node["items"])
    if node.get("nullable"):
        made["type"] = [node["type"], "null"]
    if root:
        made["properties"]["metadata"] = {"type": "object"}
    return made


def _kept(node: Schema) -> Iterator[tuple[str, Any]]:
    """What draft-07 knows, but descriptions, defaults and formats, which refuse nothing."""
    inner = {"properties", "additionalProperties", "items"}
    dropped = {"description", "default", "format", "nullable"} | inner
    return ((key, value) for key, value in node.items() if key not in dropped and not key.startswith("x-"))


def _downloaded(source: Source) -> Path:
    command = ["go", "mod", "download", "-json", f"{source.module}@{source.version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(json.loads(done.stdout)["Dir"])


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, schema in schemas(definitions()).items():
        (FOLDER / name).write_text(json.dumps(schema, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
