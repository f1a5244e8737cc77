"""The HTTP endpoint for git hosts and hooks: bounded bodies, time and work.

A delivery takes a place only once it is there as a whole, so that those who send slowly keep no genuine one out.
"""

import logging
import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler

from headwater.commit_ingest.deliveries import Deliveries, Reply
from headwater.commit_ingest.webhook import MAX_BODY
from headwater.runtime.http_connections import Connections
from headwater.stores.catalog import CatalogUnavailableError

REQUEST_S = 15.0  # from the connection to the last byte of the body
ANSWER_S = 60.0
AT_ONCE = 32  # deliveries that are worked on

log = logging.getLogger("headwater")


class Endpoint:
    """POST /webhook/github, /webhook/gitlab, /webhook/gitea and /hook."""

    def __init__(self, deliveries: Deliveries, address: tuple[str, int]) -> None:
        """Raises OSError when the address is taken."""
        self._server = Connections(address, _handler(deliveries), "webhook_connections")
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, name="endpoint", daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Returns when running requests are answered."""
        self._server.shutdown()
        self._server.server_close()


def _handler(taking: Deliveries) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        deliveries, places = taking, threading.BoundedSemaphore(AT_ONCE)

    return Handler


class _Handler(BaseHTTPRequestHandler):
    timeout = REQUEST_S
    server: Connections
    deliveries: Deliveries
    places: threading.BoundedSemaphore

    def setup(self) -> None:
        super().setup()
        self.server.expect(self.connection, REQUEST_S)

    def do_POST(self) -> None:
        body = self._body()
        self.server.expect(self.connection, ANSWER_S, answered=True)
        if isinstance(body, Reply):
            self._say(body)
        elif not self.places.acquire(blocking=False):
            self._say(Reply(503, "too many deliveries at once: send it again"))
        else:
            try:
                path, headers = self.path.partition("?")[0], dict(self.headers.items())
                self._say(_taken(self.deliveries, path, headers, body))
            finally:
                self.places.release()

    def _body(self) -> bytes | Reply:
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or not re.fullmatch("[0-9]{1,19}", lengths[0]) or "Transfer-Encoding" in self.headers:
            return Reply(411, "one Content-Length is needed, and no Transfer-Encoding")
        if int(lengths[0]) > MAX_BODY:
            return Reply(413, f"more than {MAX_BODY} bytes: polling will find this push")
        try:
            body = self.rfile.read(int(lengths[0]))
        except OSError:
            return Reply(408, f"the body was not there within {REQUEST_S:g} s")
        if len(body) < int(lengths[0]):
            return Reply(400, "the body is shorter than its Content-Length")
        return body

    def _say(self, reply: Reply) -> None:
        text = f"{reply.text}\n".encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = True

    def log_message(self, *_args: object) -> None:
        """Metrics count deliveries."""


def _taken(deliveries: Deliveries, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    try:
        reply = deliveries.take(path, {name.lower(): value for name, value in headers.items()}, body)
    except CatalogUnavailableError as error:
        reply = Reply(503, f"not taken, send it again: {error}")
    if reply.status >= 400:
        log.warning("%s: %d %s", path, reply.status, reply.text)
    return reply
