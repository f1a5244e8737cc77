"""The dashboards name only what is exported, and show all of it."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from authoring.dashboards import NOT_SHOWN
from headwater.metrics import DECLARED, Kind

FOLDER = Path(__file__).resolve().parents[3] / "helm" / "headwater" / "dashboards"
BOARDS: dict[str, Any] = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*.json"))}
METRIC = re.compile(r"\bheadwater_[a-z0-9_]+")
LABELS = re.compile(r"by \(([a-z_, ]+)\)")
SELECTED = re.compile(r"\{([^{}]*)\}")
SAMPLES = {
    sample: metric
    for metric in DECLARED
    for sample in (
        (f"{metric.name}_bucket", f"{metric.name}_count", f"{metric.name}_sum")
        if metric.kind is Kind.HISTOGRAM
        else (metric.name,)
    )
}


def panels(board: Any) -> list[Any]:
    inside = [panel for row in board["panels"] for panel in row.get("panels", ())]
    return [panel for panel in board["panels"] if panel["type"] != "row"] + inside


def expressions(board: Any) -> list[str]:
    return [target["expr"] for panel in panels(board) for target in panel["targets"]]


def test_the_five_dashboards() -> None:
    assert BOARDS.keys() == {"freshness", "pipeline", "query", "index", "rollout"}


def test_each_metric_named_is_exported() -> None:
    named = {name for board in BOARDS.values() for text in expressions(board) for name in METRIC.findall(text)}
    assert named <= SAMPLES.keys()


def test_each_metric_exported_is_shown_or_listed() -> None:
    shown = {SAMPLES[n].name for b in BOARDS.values() for text in expressions(b) for n in METRIC.findall(text)}
    declared = {metric.name for metric in DECLARED}
    assert shown | NOT_SHOWN.keys() == declared
    assert not shown & NOT_SHOWN.keys()
    assert all(NOT_SHOWN.values())


@pytest.mark.parametrize("name", BOARDS)
def test_labels_are_those_of_the_metric(name: str) -> None:
    for text in expressions(BOARDS[name]):
        labels = {label for m in METRIC.findall(text) for label in SAMPLES[m].labels} | {"le"}
        grouped = {label.strip() for group in LABELS.findall(text) for label in group.split(",")}
        selected = {part.split("=")[0].strip() for inside in SELECTED.findall(text) for part in inside.split(",")}
        assert grouped <= labels, text
        assert selected <= labels, text


def test_uids_and_ids_are_unique_and_the_source_is_a_variable() -> None:
    assert len({board["uid"] for board in BOARDS.values()}) == len(BOARDS)
    for board in BOARDS.values():
        ids = [panel["id"] for panel in board["panels"]]
        assert len(set(ids)) == len(ids)
        assert [v["type"] for v in board["templating"]["list"]] == ["datasource"]
        assert {panel["datasource"]["uid"] for panel in panels(board)} == {"${datasource}"}
        assert all(panel["title"] and panel["targets"] for panel in panels(board))


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed: apt-get install prometheus")
def test_prometheus_understands_each_expression(tmp_path: Path) -> None:
    texts = sorted({text.replace("$__rate_interval", "5m") for b in BOARDS.values() for text in expressions(b)})
    rules = [{"record": f"shown:{number}", "expr": text} for number, text in enumerate(texts)]
    file = tmp_path / "rules.json"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "shown", "rules": rules}]}), "utf-8")
    done = subprocess.run(["promtool", "check", "rules", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
