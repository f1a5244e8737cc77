"""`structural generate` makes verified pairs from a folder, the same for the same seed."""

import json
from pathlib import Path

import pytest
from tests.unit.structural.samples import SAMPLES

from headwater.cli.main import main
from headwater.structural.generate.pairs import read_pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "A.java").write_text(SAMPLES["java"])
    return tmp_path


def test_generate_writes_the_same_pairs_for_the_same_seed(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = ["structural", "generate", str(folder), "--engine", "semgrep", "--number", "5", "--seed", "3"]
    assert main(wanted) == main(wanted) == 0
    written = read_pairs(capfdbinary.readouterr().out)
    assert len(written) == 10
    assert written[:5] == written[5:]


def test_generate_prints_one_object_with_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["structural", "generate", str(folder), "--number", "3", "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert len(pairs) == 3
    assert {"question", "query", "engine", "description"} <= pairs[0].keys()


def test_generate_wants_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["structural", "generate", str(folder / "A.java")]) == 2
    assert "is no folder" in capsys.readouterr().err
