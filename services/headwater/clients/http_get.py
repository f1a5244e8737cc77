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


class HttpSession:
    """One connection to one server, used again from request to request. Not thread-safe."""

    def __init__(self, url: str, tls: ssl.SSLContext | None = None) -> None:
        """Raises ValueError as `check_url`."""
        self._parts, self._tls = urlsplit(check_url(url)), tls
        self._connection: HTTPConnection | None = None

    def get(self, target: str, headers: Mapping[str, str], timeout_s: float, most: int = MAX_BYTES) -> HttpReply:
        """At most `most` bytes. Raises HttpUnreachableError, after which the next request connects anew."""
        deadline, host = time.monotonic() + timeout_s, self._parts.netloc
        given = {"Accept": "application/json", "User-Agent": "headwater", **headers}
        try:
            connection = self._connected(timeout_s)
            connection.request("GET", target, headers=given)
            reply = connection.getresponse()
            body = bytearray()
            while part := reply.read1(65_536):
                body += part
                if len(body) > most or time.monotonic() > deadline:
                    raise HttpUnreachableError(f"{host} sent more than {most} bytes or took too long")
            reply.close()  # else the connection takes no further request
            return HttpReply(reply.status, bytes(body))
        except (OSError, HTTPException) as error:
            self.close()
            raise HttpUnreachableError(f"{host} can't be reached: {error or type(error).__name__}") from error
        except HttpUnreachableError:
            self.close()
            raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self, timeout_s: float) -> HTTPConnection:
        if self._connection is None:
            host, port = self._parts.hostname or "", self._parts.port
            self._connection = (
                HTTPSConnection(host, port, timeout=timeout_s, context=self._tls)
                if self._parts.scheme == "https"
                else HTTPConnection(host, port, timeout=timeout_s)
            )
        if self._connection.sock is not None:
            self._connection.sock.settimeout(timeout_s)
        return self._connection


def http_get(url: str, headers: Mapping[str, str], timeout_s: float, tls: ssl.SSLContext | None = None) -> HttpReply:
    """Raises HttpUnreachableError; ValueError as `check_url`."""
    parts, session = urlsplit(url), HttpSession(url, tls)
    try:
        return session.get((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), headers, timeout_s)
    finally:
        session.close()
