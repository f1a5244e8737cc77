"""HTTP as the page speaks it: every request ends in a response with the same headers, whatever is wrong with it."""

import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import msgspec

from headwater.limits import count_reached, limits
from headwater.runtime.http_connections import IDLE_S, Connections
from headwater.web.response import RefusedError, Response, failure
from headwater.web.site import Site

REQUEST_S = 10.0  # from the first line of a request to the end of its headers
LINGER_S, LINGER_READS = 0.5, 16
ANSWER_S = 60.0  # from there to the last byte of the response


class _Lines:
    """What a request's headers are read from: bounded, and told when the first line is there."""

    def __init__(self, file: Any, begun: Callable[[], None]) -> None:
        self._file, self._begun, self.left = file, begun, limits().web_request_bytes

    def readline(self, most: int) -> bytes:
        if not self.left:
            raise RefusedError(431, "TOO_LONG", f"the request has more than {limits().web_request_bytes} bytes")
        line: bytes = self._file.readline(min(most, self.left))
        self.left -= len(line)
        self._begun, begun = _nothing, self._begun
        begun()
        if not self.left:
            count_reached("web_request_bytes")
        return line

    def close(self) -> None:
        self._file.close()


def _nothing() -> None:
    """The time that a request has counts from its first line."""


class Handler(BaseHTTPRequestHandler):
    """One connection, request by request."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "headwater", ""
    timeout = IDLE_S
    server: Connections
    site: Site  # of a subclass
    _refused = False

    def handle_one_request(self) -> None:
        own = self.rfile
        self.server.expect(self.connection, IDLE_S)
        self.rfile = _Lines(own, lambda: self.server.expect(self.connection, REQUEST_S))  # type: ignore[assignment]
        try:
            super().handle_one_request()
        except RefusedError as error:
            self.send_error(error.status, error.message)
        finally:
            self.rfile = own

    def do_GET(self) -> None:
        self.server.expect(self.connection, ANSWER_S, answered=True)
        headers = [(name.lower(), value.strip()) for name, value in self.headers.items()]
        if self.request_version == "HTTP/0.9":
            self.send_error(400, "HTTP/0.9 has no headers: use HTTP/1.1")
            return
        response = self.site.get(self.path, headers, str(self.client_address[0]))
        if response.etag and dict(headers).get("if-none-match") == response.etag:
            response = msgspec.structs.replace(response, status=304, body=b"")
        if response.status == 400:
            self.close_connection = self._refused = True  # there may be a body, which must not be taken for a request
        self._send(response)

    def do_HEAD(self) -> None:
        self.do_GET()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the standard library refuses, in the words and headers of everything else."""
        status = {501: 405, 505: 400}.get(code, code)
        said = "only GET and HEAD are answered here" if status == 405 else message or "the request can't be read"
        self.close_connection = self._refused = True
        if getattr(self, "request_version", "HTTP/0.9") == "HTTP/0.9":
            self.request_version = "HTTP/1.0"
        self._send(failure(RefusedError(status, "BAD_REQUEST", said)))

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in response.headers():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if getattr(self, "command", "") != "HEAD":
            self.wfile.write(response.body)

    def finish(self) -> None:
        """What was sent beyond a refused request is read and dropped: closing on it would take the answer back."""
        super().finish()
        if not self._refused:
            return
        self.connection.settimeout(LINGER_S)
        try:
            self.connection.shutdown(socket.SHUT_WR)
            for _ in range(LINGER_READS):
                if not self.connection.recv(65_536):
                    return
        except OSError:
            return  # it is gone

    def log_message(self, *_args: object) -> None:
        """Queries are nobody's business; metrics count them."""
