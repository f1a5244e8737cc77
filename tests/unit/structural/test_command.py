"""The command: pairs from a folder, an answer as JSON, recorded conversations."""

import json
from pathlib import Path

import pytest
from tests.unit.structural.samples import SAMPLES

from headwater.structural.__main__ import main
from headwater.structural.generate.pairs import read_pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "A.java").write_text(SAMPLES["java"])
    return tmp_path


def test_generate_writes_the_same_pairs_for_the_same_seed(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = ["generate", str(folder), "--engine", "semgrep", "--number", "5", "--seed", "3"]
    assert main(wanted) == main(wanted) == 0
    written = read_pairs(capfdbinary.readouterr().out)
    assert len(written) == 10
    assert written[:5] == written[5:]


def test_ask_shows_the_query_and_the_matches(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["ask", "do while loops", str(folder)]) == 0
    answer = json.loads(capfdbinary.readouterr().out)
    assert answer["query"] == {"version": 1, "target": {"construct": "do"}}
    assert [match["start_line"] for match in answer["results"]] == [19]


def test_ask_replays_a_recording(folder: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    recording = tmp_path / "talk.jsonl"
    recording.write_bytes(b"")
    assert main(["ask", "frobnicate the wibble", str(folder), "--replay", str(recording)]) == 0
    assert json.loads(capfdbinary.readouterr().out)["not_understood"] == ["frobnicate", "wibble"]
