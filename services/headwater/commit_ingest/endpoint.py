"""The HTTP endpoint for git hosts and hooks: bounded bodies, time and work."""

import logging
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from headwater.commit_ingest.deliveries import Deliveries, Reply
from headwater.commit_ingest.webhook import MAX_BODY
from headwater.stores.catalog import CatalogUnavailableError

REQUEST_S = 15.0
AT_ONCE = 32

log = logging.getLogger("headwater")


class Endpoint:
    """POST /webhook/github, /webhook/gitlab, /webhook/gitea and /hook."""

    def __init__(self, deliveries: Deliveries, address: tuple[str, int]) -> None:
        """Raises OSError when the address is taken."""
        self._server = ThreadingHTTPServer(address, _handler(deliveries))
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


def _handler(deliveries: Deliveries) -> type[BaseHTTPRequestHandler]:
    places = threading.BoundedSemaphore(AT_ONCE)

    class Handler(BaseHTTPRequestHandler):
        timeout = REQUEST_S

        def do_POST(self) -> None:
            if not places.acquire(blocking=False):
                self._say(Reply(503, "too many deliveries at once: send it again"))
                return
            try:
                self._say(self._answer())
            finally:
                places.release()

        def _answer(self) -> Reply:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit():
                return Reply(411, "a Content-Length is needed")
            if int(length) > MAX_BODY:
                return Reply(413, f"more than {MAX_BODY} bytes: polling will find this push")
            body = self.rfile.read(int(length))
            if len(body) < int(length):
                return Reply(400, "the body is shorter than its Content-Length")
            return _taken(deliveries, self.path.partition("?")[0], dict(self.headers.items()), body)

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

    return Handler


def _taken(deliveries: Deliveries, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
    try:
        reply = deliveries.take(path, {name.lower(): value for name, value in headers.items()}, body)
    except CatalogUnavailableError as error:
        reply = Reply(503, f"not taken, send it again: {error}")
    if reply.status >= 400:
        log.warning("%s: %d %s", path, reply.status, reply.text)
    return reply
