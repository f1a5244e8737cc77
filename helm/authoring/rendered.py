"""The examples as Helm renders them, committed so that a change of the chart shows what it changes."""

from pathlib import Path
from typing import Any

import yaml
from helm_python import Chart

HELM = Path(__file__).resolve().parents[1]
EXAMPLES = ("small", "large")


def rendered(name: str) -> str:
    """Every manifest but the dashboards, which are committed as they are."""
    values = yaml.safe_load((HELM / "headwater" / "examples" / f"{name}.yaml").read_text("utf-8"))
    with Chart.load(HELM / "headwater") as chart:
        files = chart.render(values, name="demo", namespace="headwater")
    texts = [text for file, text in sorted(files.items()) if not file.endswith("NOTES.txt")]
    manifests = [m for text in texts for m in yaml.safe_load_all(text) if m and not _is_dashboard(m)]
    return yaml.safe_dump_all(manifests, sort_keys=False, width=120)


def _is_dashboard(manifest: dict[str, Any]) -> bool:
    return "-dashboard-" in manifest["metadata"]["name"]
