"""HTTP responses: their headers, the files of the package, and query errors as status codes."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files

import msgspec

from headwater.domain.query_error import (
    CancelledError,
    DeadlinePassedError,
    ExhaustedError,
    ForbiddenError,
    InvalidQuestionError,
    NotFoundError,
    PageExpiredError,
    QueryError,
    UnauthenticatedError,
    UnavailableError,
)
from headwater.runtime.redact import redacted

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
STRICT = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_TYPES = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_STATUS: tuple[tuple[type[QueryError], int], ...] = (
    (InvalidQuestionError, 400),
    (UnauthenticatedError, 401),
    (ForbiddenError, 403),
    (NotFoundError, 404),
    (PageExpiredError, 409),
    (ExhaustedError, 429),
    (UnavailableError, 503),
    (CancelledError, 503),
    (DeadlinePassedError, 504),
)


class RefusedError(QueryError):
    """A request that is no question: the page's own status says so."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.status = status


class Response(msgspec.Struct, frozen=True):
    """A whole response; one with an etag may be kept by the browser and asked for again."""

    status: int
    kind: str
    body: bytes
    etag: str = ""
    retry_after_s: int = 0

    def headers(self) -> Iterator[tuple[str, str]]:
        yield "Content-Type", self.kind
        yield "Content-Length", str(len(self.body))
        yield "Cache-Control", "no-cache" if self.etag else "no-store"
        if self.etag:
            yield "ETag", self.etag
        if self.retry_after_s:
            yield "Retry-After", str(self.retry_after_s)
        if self.status == 405:
            yield "Allow", "GET, HEAD"
        if self.status == 401:
            yield "WWW-Authenticate", "Bearer"
        yield from STRICT


def static_files() -> dict[str, Response]:
    """By path, `/` being index.html."""
    found = {}
    for file in files("headwater.web").joinpath("static").iterdir():
        body, kind = file.read_bytes(), _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
            found[f"/{file.name}"] = Response(200, kind, body, etag)
    return {**found, "/": found["/index.html"]}


_NEXT = {  # what to do in the words of the page
    "UNKNOWN_SYMBOL": "check the spelling, or search for it as text, in quotes",
    "UNKNOWN_FILE": "check the spelling, or search for its name",
    "UNKNOWN_REPOSITORY": "choose one of the list",
    "AMBIGUOUS_REPOSITORY": "choose one of the list",
    "UNKNOWN_REF": "choose a view of the list",
    "AMBIGUOUS_REF": "choose a view of the list, or write its full name",
    "NOTHING_INDEXED": "whoever runs this page has to index a repository first",
    "PAGE_EXPIRED": "ask again from the first page",
}


def failure(error: QueryError) -> Response:
    """`{"error": {"reason", "message", "suggestions"}}`."""
    known = next((code for kind, code in _STATUS if isinstance(error, kind)), 500)
    status = error.status if isinstance(error, RefusedError) else known
    suggestions = error.suggestions if isinstance(error, NotFoundError) else ()
    content = {"error": {"reason": error.reason, "message": redacted(_spoken(error)), "suggestions": suggestions}}
    retry = max(1, round(error.retry_after_s)) if isinstance(error, UnavailableError) else 0
    return Response(status, "application/json", msgspec.json.encode(content), retry_after_s=retry)


def _spoken(error: QueryError) -> str:
    return f"{error.message}: {_NEXT[error.reason]}" if error.reason in _NEXT else error.message
