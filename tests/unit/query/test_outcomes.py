"""Reports are checked and kept."""

from pathlib import Path

import msgspec
import pytest

from headwater.domain.query_error import InvalidQuestionError, UnavailableError
from headwater.domain.question import OutcomeReport
from headwater.query.outcomes import JsonLinesOutcomeLog, check_report


def test_a_report_is_one_line(tmp_path: Path) -> None:
    log = JsonLinesOutcomeLog(tmp_path / "outcomes.jsonl")
    for rank in (1, 2):
        log.record(OutcomeReport(query="q\n", outcome="accepted", rank=rank), "ann")
    lines = (tmp_path / "outcomes.jsonl").read_bytes().splitlines()
    assert [msgspec.json.decode(line)["rank"] for line in lines] == [1, 2]


def test_s18_a_report_that_the_full_log_does_not_take_is_an_error(tmp_path: Path) -> None:
    log = JsonLinesOutcomeLog(tmp_path / "outcomes.jsonl", max_bytes=150)
    log.record(OutcomeReport(query="q", outcome="accepted"), "")
    with pytest.raises(UnavailableError, match="could not be written"):
        log.record(OutcomeReport(query="q", outcome="accepted"), "")
    assert len((tmp_path / "outcomes.jsonl").read_bytes().splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_s18_a_full_disk_is_an_error() -> None:
    with pytest.raises(UnavailableError, match="could not be written"):
        JsonLinesOutcomeLog(Path("/dev/full")).record(OutcomeReport(query="q", outcome="accepted"), "")


def test_bad_reports_say_what_to_do() -> None:
    with pytest.raises(InvalidQuestionError, match="use accepted"):
        check_report(OutcomeReport(query="q", outcome="liked"))
