"""`python -m authoring [--check]` with helm/ on the path: writes what is generated, or says what is stale."""

import json
import sys
from pathlib import Path
from typing import Any

from authoring.dashboards import dashboards
from authoring.rendered import EXAMPLES, rendered
from authoring.schema import values_schema
from authoring.services import facts

CHART = Path(__file__).resolve().parents[1] / "headwater"


def generated() -> dict[Path, str]:
    """Every generated file of the chart with its text."""
    made: dict[str, Any] = {"services.json": facts(), "values.schema.json": values_schema()}
    made |= {f"dashboards/{name}.json": board for name, board in dashboards().items()}
    return {CHART / name: json.dumps(content, indent=2, ensure_ascii=False) + "\n" for name, content in made.items()}


def examples() -> dict[Path, str]:
    """The rendered examples, of the chart as it is on disk."""
    return {CHART.parent / "rendered" / f"{name}.yaml": rendered(name) for name in EXAMPLES}


def stale() -> list[Path]:
    """Files that are missing, differ from what would be written, or that nothing writes any more."""
    files = generated() | examples()
    differing = [file for file, text in files.items() if not file.exists() or file.read_text("utf-8") != text]
    return differing + [file for file in (CHART / "dashboards").glob("*.json") if file not in files]


def main(check: bool) -> int:
    if check:
        old = stale()
        for file in old:
            sys.stderr.write(f"{file.name} is stale: run `make chart-files`\n")
        return 1 if old else 0
    for made in (generated, examples):
        for file, text in made().items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
