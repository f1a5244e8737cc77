"""What callers did with answers, kept for the golden set."""

import logging
import time
from pathlib import Path
from typing import Protocol

import msgspec

from headwater.domain.query_error import InvalidQuestionError, UnavailableError
from headwater.domain.question import OutcomeReport
from headwater.metrics import METRICS
from headwater.query.line_file import LineFile

OUTCOMES = ("accepted", "rejected", "retried")
RETRY_AFTER_S = 60.0
LOG = logging.getLogger(__name__)


class OutcomeLog(Protocol):
    """Where reports go."""

    def record(self, report: OutcomeReport, principal: str) -> None:
        """Raises UnavailableError for one that wasn't written."""
        ...


class JsonLinesOutcomeLog:
    """One JSON object a line; full once it reaches `max_bytes`, so that no caller can fill the disk."""

    def __init__(self, path: Path, max_bytes: int = 256 << 20) -> None:
        self._lines = LineFile(path, max_bytes)

    def record(self, report: OutcomeReport, principal: str) -> None:
        try:
            self._lines.append(msgspec.structs.asdict(report) | {"at": time.time(), "principal": principal})
        except OSError as error:
            METRICS.count("headwater_query_outcomes_lost_total")
            LOG.error("an outcome can't be written: %s", error)
            message = "the report could not be written: try again later, or tell the operator that its log is full"
            raise UnavailableError("NOT_RECORDED", message, RETRY_AFTER_S) from error
        METRICS.count("headwater_query_outcomes_total", outcome=report.outcome)


def check_report(report: OutcomeReport) -> None:
    """Raises InvalidQuestionError."""
    if report.outcome not in OUTCOMES:
        raise InvalidQuestionError("outcome", f"no outcome '{report.outcome[:40]}': use {', '.join(OUTCOMES)}")
