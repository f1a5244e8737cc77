"""The examples as Helm renders them, committed so that a change of the chart shows what it changes."""

from pathlib import Path
from typing import Any

import yaml
from helm_python import Chart

HELM = Path(__file__).resolve().parents[1]
EXAMPLES = ("small", "large")


def rendered(name: str) -> str:
    """Every manifest but the dashboards, which are committed as they are."""
    shown = [manifest for manifest in _rendered(name, "headwater") if not _is_dashboard(manifest)]
    return yaml.safe_dump_all(shown, sort_keys=False, width=120)


def manifests(name: str, namespace: str) -> list[dict[str, Any]]:
    """Every manifest as Helm sends it; every kind of the chart lies in a namespace."""
    made = _rendered(name, namespace)
    for manifest in made:
        manifest["metadata"]["namespace"] = namespace
    return made


def _rendered(name: str, namespace: str) -> list[dict[str, Any]]:
    values = yaml.safe_load((HELM / "headwater" / "examples" / f"{name}.yaml").read_text("utf-8"))
    with Chart.load(HELM / "headwater") as chart:
        files = chart.render(values, name="demo", namespace=namespace)
    texts = [text for file, text in sorted(files.items()) if not file.endswith("NOTES.txt")]
    return [manifest for text in texts for manifest in yaml.safe_load_all(text) if manifest]


def _is_dashboard(manifest: dict[str, Any]) -> bool:
    return "-dashboard-" in manifest["metadata"]["name"]
