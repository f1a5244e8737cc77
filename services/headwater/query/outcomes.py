"""What callers did with answers, kept for the golden set."""

import os
import time
from pathlib import Path
from threading import Lock
from typing import Protocol

import msgspec

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import OutcomeReport
from headwater.metrics import METRICS
from headwater.runtime.private_files import open_private

OUTCOMES = ("accepted", "rejected", "retried")
MAX_FIELD = 4096


class OutcomeLog(Protocol):
    """Where reports go."""

    def record(self, report: OutcomeReport, principal: str) -> None: ...


class JsonLinesOutcomeLog:
    """One JSON object a line, appended; full once it reaches `max_bytes`, so that no caller can fill the disk."""

    def __init__(self, path: Path, max_bytes: int = 256 << 20) -> None:
        self._path, self._max_bytes, self._lock = path, max_bytes, Lock()

    def record(self, report: OutcomeReport, principal: str) -> None:
        """Raises OSError."""
        entry = msgspec.structs.asdict(report) | {"at": time.time(), "principal": principal}
        line = msgspec.json.encode(entry) + b"\n"
        METRICS.count("headwater_query_outcomes_total", outcome=report.outcome)
        with self._lock, open(open_private(self._path, os.O_WRONLY | os.O_APPEND), "ab") as file:
            if file.tell() + len(line) <= self._max_bytes:
                file.write(line)


def check_report(report: OutcomeReport) -> None:
    """Raises InvalidQuestionError."""
    if report.outcome not in OUTCOMES:
        raise InvalidQuestionError("outcome", f"no outcome '{report.outcome[:40]}': use {', '.join(OUTCOMES)}")
    for field in ("query", "path", "repo", "session", "commit"):
        if len(getattr(report, field)) > MAX_FIELD:
            raise InvalidQuestionError(field, f"{field} has more than {MAX_FIELD} characters: shorten it")
