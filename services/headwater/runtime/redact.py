"""Masks secrets in what is written, logged, traced or answered: the one function that knows what secrets look like."""

import logging
import re
import sys
import traceback
from types import TracebackType

MASK = "***"
_NAMES = (
    r"(?:private|access|refresh|auth|oauth|job|deploy|session|id|api|bearer|personal)?[_.-]?"
    r"(?:token|secret|password|passwd|passphrase|pwd|apikey|api[_.-]key|client[_.-]secret|credentials?|signature)"
)
_PATTERNS = (
    # user:password@ and token@ of a URL; a password may hold any sign but white space, the last @ ends it
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/?#'\"<>]*@"), rf"\1{MASK}@"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s/@?#:]+):[^\s'\"<>]*@(?=[\w.\[-])"), rf"\1:{MASK}@"),
    # Authorization and the like, whatever the scheme, up to the end of the line
    (
        re.compile(
            r"(?i)\b((?:proxy-)?authorization|private-token|job-token|x-api-key|x-[\w-]*token|cookie)"
            r"(['\"]?\s*[:=]\s*['\"]?)[^\r\n'\"]+"
        ),
        rf"\1\2{MASK}",
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {MASK}"),
    # name=value, name: value and "name": "value" of queries, settings, DSNs and JSON
    (
        re.compile(
            rf"(?i)(?<![a-z0-9])((?:[\w.-]*[_.-])?{_NAMES})(['\"]?\s*[=:]\s*)('[^'\r\n]*'|\"[^\"\r\n]*\"|[^\s&,;'\"]+)"
        ),
        rf"\1\2{MASK}",
    ),
    # tokens that their shape tells: GitHub, GitLab, Slack, AWS, Google, OpenAI-like, JSON web tokens
    (re.compile(r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(?:pat|cbt|rt|ptt|dt|oas|soat)-[\w.-]{16,})"), MASK),
    (re.compile(r"\b(?:xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35}|sk-[\w-]{20,}|npm_\w{30,})"), MASK),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"), MASK),
)


def redacted(text: str) -> str:
    """The text with every secret in it replaced by ***; linear in its length."""
    for pattern, mask in _PATTERNS:
        text = pattern.sub(mask, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Masks the whole line that a record becomes, its exception included."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        return redacted(self._inner.format(record))


def install() -> None:
    """From now on, what this process logs and the traceback that it ends with are masked."""
    root = logging.getLogger()
    if not root.handlers:
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for handler in root.handlers:
        if not isinstance(handler.formatter, RedactingFormatter):
            handler.setFormatter(RedactingFormatter(handler.formatter or logging.Formatter()))
    sys.excepthook = _excepthook


def _excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    sys.stderr.write(redacted("".join(traceback.format_exception(kind, error, trace))))
