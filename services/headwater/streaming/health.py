"""The HTTP port of a service: /metrics, /livez and /readyz."""

import os
import resource
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from headwater.metrics import METRICS, Metrics
from headwater.runtime.http_connections import Connections

Answer = tuple[int, str, bytes]
REQUEST_S = 10.0  # for a request to be there, and again for its answer to leave


class HealthServer:
    """`live` says whether the process should be kept; `not_ready` says why it can't serve, "" when it can."""

    def __init__(
        self,
        live: Callable[[], bool],
        not_ready: Callable[[], str],
        address: tuple[str, int],
        metrics: Metrics = METRICS,
    ) -> None:
        self._live, self._not_ready, self._metrics = live, not_ready, metrics
        self._server = Connections(address, _handler(self.answer), "health_connections")
        self._thread = threading.Thread(target=self._server.serve_forever, name="health", daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> Answer:
        if path == "/metrics":
            self._show_process()
            return 200, CONTENT_TYPE_LATEST, generate_latest(self._metrics.registry)
        if path == "/livez":
            return _plain(200, "live") if self._live() else _plain(503, "the loop has stopped")
        if path == "/readyz":
            cause = self._not_ready()
            return _plain(503, cause) if cause else _plain(200, "ready")
        return _plain(404, "only /metrics, /livez and /readyz are here")

    def _show_process(self) -> None:
        self._metrics.set("headwater_process_resident_bytes", _resident_bytes())
        handles = Path("/proc/self/fd")
        if handles.exists():
            self._metrics.set("headwater_process_open_handles", len(os.listdir(handles)))


def _resident_bytes() -> int:
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text("ascii").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _plain(code: int, text: str) -> Answer:
    return code, "text/plain; charset=utf-8", f"{text}\n".encode()


def _handler(answer: Callable[[str], Answer]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = REQUEST_S
        server: Connections

        def setup(self) -> None:
            super().setup()
            self.server.expect(self.connection, REQUEST_S)

        def do_GET(self) -> None:
            self.server.expect(self.connection, REQUEST_S, answered=True)
            code, kind, body = answer(self.path.partition("?")[0])
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            """Probes are not worth a log line."""

    return Handler
