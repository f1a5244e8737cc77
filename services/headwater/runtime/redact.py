"""Masks secrets in what is written, logged, traced or answered: the one place that knows what secrets look like."""

import logging
import re
import sys
import threading
import traceback
from types import TracebackType

MASK = "***"
_NAME = (
    r"(?:private|access|refresh|auth|oauth|job|deploy|session|id|api|bearer|personal|client|page)?[_.-]?"
    r"(?:token|secret|password|passwd|passphrase|pwd|api[_.-]?key|private[_.-]?key|model[_.-]key)"
)
# Every repetition that could begin anywhere is bounded, so that a long line costs time in proportion to its length.
_PATTERNS = (
    # user:password@ of a URL, whose password may hold any sign; then whatever else stands before an @
    (
        re.compile(r"(?i)(\b[a-z][a-z0-9+.-]{0,20}:/{1,2})[^\s/@?#:'\"<>]{0,128}:[^\s'\"<>]{0,256}@(?=[\w.\[-])"),
        rf"\1{MASK}@",
    ),
    (re.compile(r"(//|:/)(?!git@)[^\s/@'\"<>]{1,256}@"), rf"\1{MASK}@"),
    (
        re.compile(
            r"(?i)\b((?:proxy-)?authorization|private-token|job-token|deploy-token|x-api-key|(?:set-)?cookie)"
            r"(['\"]?\s{0,8}[:=]\s{0,8}['\"]?)[^\r\n'\"]+"
        ),
        rf"\1\2{MASK}",
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s{1,8}[\w.~+/=-]{8,}"), rf"\1 {MASK}"),
    # name=value, name: value and "name": "value" of queries, settings, connection strings and JSON
    (
        re.compile(
            rf"(?i)(?<![a-z0-9])({_NAME})(['\"]?\s{{0,8}}[=:]\s{{0,8}})"
            r"(?!\*\*\*)('[^'\r\n]*'|\"[^\"\r\n]*\"|[^\s&,;'\"]+)"
        ),
        rf"\1\2{MASK}",
    ),
    # by their shape: GitHub, GitLab, Slack, AWS, Google, npm, model endpoints, JSON web tokens, keys
    (
        re.compile(r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(?:pat|cbt|rt|ptt|dt|oas|soat|ft|agent)-[\w.-]{16,})"),
        MASK,
    ),
    (re.compile(r"\b(?:xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35}|sk-[\w-]{20,}|npm_\w{30,})"), MASK),
    (re.compile(r"\beyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]*"), MASK),
    (re.compile(r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\w+/=\s]{0,8000}(?:-----END [A-Z ]{0,20}-----)?"), MASK),
)


def redacted(text: str) -> str:
    """The text with *** in the place of every secret."""
    for pattern, mask in _PATTERNS:
        text = pattern.sub(mask, text)
    return text


def mask_logs() -> None:
    """From now on every record that is logged, and every traceback that a thread ends with, is masked."""
    if logging.getLogRecordFactory() is not _record:
        logging.setLogRecordFactory(_record)
        sys.excepthook = _at_the_end
        threading.excepthook = _of_a_thread


def _record(*args: object, **kwargs: object) -> logging.LogRecord:
    record = logging.LogRecord(*args, **kwargs)  # type: ignore[arg-type]
    try:
        record.msg, record.args = redacted(record.getMessage()), None
    except (TypeError, ValueError):  # its arguments don't fit: logging says so itself
        record.msg, record.args = redacted(str(record.msg)), None
    if record.exc_info and record.exc_info[0] is not None:
        record.exc_text = redacted("".join(traceback.format_exception(*record.exc_info))).rstrip("\n")
    return record


def _at_the_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    sys.stderr.write(redacted("".join(traceback.format_exception(kind, error, trace))))


def _of_a_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_type is not SystemExit:
        lines = traceback.format_exception(failed.exc_type, failed.exc_value, failed.exc_traceback)
        sys.stderr.write(redacted("".join(lines)))
