"""One bounded HTTP GET: no redirects, no proxies, no credentials but those given, a deadline and a size limit."""

import ssl
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

import msgspec

MAX_BYTES = 1 << 20
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class HttpReply(msgspec.Struct, frozen=True):
    """What the server said. A redirect is an answer like any other: it is not followed."""

    status: int
    body: bytes


class HttpUnreachableError(Exception):
    """No whole answer in time."""


def check_url(url: str) -> str:
    """The URL itself. Raises ValueError unless it is https, or http on loopback."""
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and parts.hostname in _LOOPBACK:
        return url
    raise ValueError(f"'{url}' must be https:// (http:// is only for loopback)")


def http_get(url: str, headers: Mapping[str, str], timeout_s: float, tls: ssl.SSLContext | None = None) -> HttpReply:
    """Raises HttpUnreachableError; ValueError as `check_url`."""
    parts = urlsplit(check_url(url))
    deadline = time.monotonic() + timeout_s
    connection: HTTPConnection = (
        HTTPSConnection(parts.hostname or "", parts.port, timeout=timeout_s, context=tls)
        if parts.scheme == "https"
        else HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
    )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("GET", target, headers={"Accept": "application/json", "User-Agent": "headwater", **headers})
        reply = connection.getresponse()
        body = b""
        while part := reply.read1(65_536):
            body += part
            if len(body) > MAX_BYTES or time.monotonic() > deadline:
                raise HttpUnreachableError(f"{parts.netloc} sent more than {MAX_BYTES} bytes or took too long")
        return HttpReply(reply.status, body)
    except (OSError, HTTPException) as error:
        raise HttpUnreachableError(f"{parts.netloc} can't be reached: {error or type(error).__name__}") from error
    finally:
        connection.close()
