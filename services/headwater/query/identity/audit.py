"""The record of who asked what kind of question and what it touched: never a line of source."""

import logging
import time
from pathlib import Path
from typing import Protocol

import msgspec
from google.protobuf.message import Message

from headwater.domain.answer import Answer, AsOf, ContextAnswer, FilesAnswer, FreshnessAnswer, StructuralReport
from headwater.domain.query_error import UnavailableError
from headwater.metrics import METRICS
from headwater.query.line_file import LineFile
from headwater.runtime.redact import redacted

LOG = logging.getLogger(__name__)


class AuditRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call. `query` only where the configuration asks for it."""

    at: float
    method: str
    principal: str
    peer: str
    code: str
    seconds: float
    reason: str = ""
    as_of: tuple[AsOf, ...] = ()
    results: int = 0
    query: str = ""
    object: str = ""  # what an operation was about: a repository, a ref of one, letters


class AuditLog(Protocol):
    """Where records go. What can't be written is counted and logged."""

    required: bool  # whether nothing is answered that can't be recorded

    def record(self, record: AuditRecord) -> None:
        """Raises UnavailableError where it is `required` and can't be written; else answers go on."""
        ...


class JsonLinesAuditLog:
    """One JSON object a line."""

    def __init__(self, path: Path, keeps_queries: bool = False, required: bool = False) -> None:
        self._lines, self._keeps_queries, self.required = LineFile(path), keeps_queries, required

    def record(self, record: AuditRecord) -> None:
        query = redacted(record.query) if self._keeps_queries else ""
        kept = msgspec.structs.replace(
            record, query=query, reason=redacted(record.reason), object=redacted(record.object)
        )
        try:
            self._lines.append(kept)
        except OSError as error:
            METRICS.count("headwater_query_audit_failures_total")
            LOG.error("the audit log can't be written: %s", error)
            if self.required:
                message = "the call can't be recorded, and nothing is answered without: try again"
                raise UnavailableError("AUDIT_UNAVAILABLE", message) from error


def now() -> float:
    """Epoch seconds."""
    return time.time()


def touched(answer: object) -> tuple[tuple[AsOf, ...], int]:
    """The views that an answer is as of, and how many results it has."""
    if isinstance(answer, Answer | StructuralReport):
        return answer.as_of, len(answer.results)
    if isinstance(answer, ContextAnswer):
        return answer.as_of, len(answer.items)
    if isinstance(answer, FilesAnswer):
        return answer.as_of, len(answer.files)
    if isinstance(answer, FreshnessAnswer):
        return tuple(AsOf(v.repo, v.ref, v.commit) for v in answer.views), len(answer.views)
    return (), 0


def asked(request: Message) -> str:
    """The text of a question, at most its first 1,000 characters."""
    texts = (str(getattr(request, field, "")) for field in ("query", "symbol", "pattern", "path"))
    return next((text[:1000] for text in texts if text), "")


def object_of(request: Message) -> str:
    """What an operation names, at most its first 1,000 characters; "" for a question."""
    named = [str(getattr(request, field, "")) for field in ("repo", "ref")]
    listed = [",".join(getattr(request, field, ())) for field in ("refs", "ids", "topics", "paths")]
    return " ".join(part for part in (*named, *listed) if part)[:1000]
