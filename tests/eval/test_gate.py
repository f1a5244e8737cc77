"""The gate on a fixed sub-sample: the questions on small corpora, asked of the product as it is served."""

import json
import os
from pathlib import Path

import pytest

from headwater.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "golden"
CORPORA = Path(os.environ.get("HEADWATER_CORPORA", ROOT / ".cache" / "corpora"))
BASELINE = Path(__file__).parent / "baseline_sample.json"
SLICES = ("nl_open.jsonl", "identifier_open.jsonl", "usages_open.jsonl")
SAMPLE = (
    "requests-2.32.3", "celery-5.4.0", "commons-lang3-3.17.0", "bbolt-1.4.3",
    "ignore-0.4.23", "rxjs-7.8.2", "query-core-5.62.0",
)  # fmt: skip


def _sampled(folder: Path) -> list[str]:
    """Golden files of the sample's corpora alone, with their companions beside them."""
    for name in ("corpora.json", "scopes.json"):
        (folder / name).write_bytes((SHARED / name).read_bytes())
    for name in SLICES:
        lines = (SHARED / name).read_text("utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(line for line in lines if json.loads(line)["corpus"] in SAMPLE), "utf-8")
    return [option for name in SLICES for option in ("--golden", str(folder / name))]


@pytest.mark.shared
def test_no_slice_falls_below_its_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = [name for name in SAMPLE if not (CORPORA / name).is_dir()]
    if not SHARED.is_dir() or missing:
        pytest.skip(f"no {', '.join(missing) or SHARED}: run 'make corpora' (or set HEADWATER_CORPORA)")
    golden = _sampled(tmp_path)
    writes = "HEADWATER_WRITE_BASELINE" in os.environ
    arguments = ["eval", *golden, "--corpora", str(CORPORA), "--home", str(tmp_path / "home"), "--json"]
    status = main(arguments if writes else [*arguments, "--gate", str(BASELINE)])
    shown = capsys.readouterr()
    assert status == 0, shown.err
    if writes:
        BASELINE.write_text(json.dumps(json.loads(shown.out), indent=1, sort_keys=True) + "\n", "utf-8")
    assert set(json.loads(shown.out)["slices"]) == {"nl", "identifier", "usages"}
