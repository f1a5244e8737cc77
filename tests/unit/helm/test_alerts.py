"""Each alert has its page, its tests and only metrics that exist; promtool runs the tests where it is installed."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from headwater.metrics import DECLARED, Kind

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT / "helm" / "headwater" / "rules" / "headwater.yaml"
TESTS = Path(__file__).with_name("alerts.yaml")
GROUPS: list[Any] = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
ALERTS = {rule["alert"]: rule for group in GROUPS for rule in group["rules"] if "alert" in rule}
RECORDED = {rule["record"] for group in GROUPS for rule in group["rules"] if "record" in rule}
PAGES = {file.stem for file in (ROOT / "docs" / "runbooks").glob("Headwater*.md")}


def test_each_alert_has_a_page_and_each_page_an_alert() -> None:
    assert ALERTS.keys() == PAGES
    for name, rule in ALERTS.items():
        assert rule["annotations"]["runbook_url"] == f"RUNBOOKS/{name}.md"
        assert rule["labels"]["severity"] in ("page", "ticket")
        page = (ROOT / "docs" / "runbooks" / f"{name}.md").read_text("utf-8")
        assert page.startswith(f"# {name}\n")
        assert "## Look" in page
        assert "## Do" in page


def test_links_between_pages_lead_somewhere() -> None:
    for file in (ROOT / "docs" / "runbooks").glob("*.md"):
        for target in re.findall(r"\]\((Headwater\w+)\.md\)", file.read_text("utf-8")):
            assert target in PAGES, file.name


@pytest.mark.parametrize("name", ALERTS)
def test_only_what_is_exported_is_asked_for(name: str) -> None:
    exported = {m.name for m in DECLARED if m.kind is not Kind.HISTOGRAM}
    exported |= {f"{m.name}_{end}" for m in DECLARED if m.kind is Kind.HISTOGRAM for end in ("bucket", "count", "sum")}
    asked = set(re.findall(r"headwater[_:][a-z0-9_:]+", ALERTS[name]["expr"]))
    assert asked
    assert asked <= exported | RECORDED


def test_each_alert_is_tested() -> None:
    cases = yaml.safe_load(TESTS.read_text("utf-8"))["tests"]
    fired = {c["alertname"] for t in cases for c in t["alert_rule_test"] if c["exp_alerts"]}
    assert fired == ALERTS.keys()


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed: apt-get install prometheus")
def test_alerts_by_promtool() -> None:
    done = subprocess.run(["promtool", "test", "rules", str(TESTS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
