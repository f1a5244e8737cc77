"""The HTTP server of the page: static files of the package, /api, strict headers, bounded work."""

import ipaddress
import socket
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

import msgspec

from headwater.domain.answer import Answer, FreshnessAnswer
from headwater.domain.asking import Asker
from headwater.domain.grants import Grants
from headwater.domain.query_error import QueryError
from headwater.metrics import METRICS
from headwater.tracing.queries import traced
from headwater.web.api import Api
from headwater.web.caller import NOBODY, Asked, Authorise, HttpCaller, Observe, allow_all, unobserved
from headwater.web.response import Response, failure, refused, static_files

MAX_CONCURRENT = 32
IDLE_S = 30


class WebServer:
    """Started by `start`, stopped by `stop`; a context manager does both. Raises OSError for a bad address."""

    def __init__(
        self,
        asker: Asker,
        address: str = "127.0.0.1:8080",
        authorise: Authorise | None = None,
        observe: Observe = unobserved,
    ) -> None:
        """Without `authorise` everybody who reaches the address reads everything: only loopback will do then."""
        host, _, port = address.rpartition(":")
        if authorise is None and not _is_loopback(host):
            raise OSError(f"{address} is reachable by others and nothing says who may ask: listen on 127.0.0.1")
        self._site = _Site(asker, authorise or allow_all, observe, _is_loopback(host))
        try:
            self._server = _server_class(host)((host.strip("[]"), int(port)), _handler(self._site))
        except (OSError, OverflowError, ValueError) as error:
            raise OSError(f"can't listen on {address}: choose another address ({error})") from error
        self._thread = threading.Thread(target=self._server.serve_forever, name="web", daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Site:
    """Requests to responses."""

    def __init__(self, asker: Asker, authorise: Authorise, observe: Observe, loopback: bool) -> None:
        self._api, self._authorise, self._observe, self._loopback = Api(asker), authorise, observe, loopback
        self._files = static_files()
        self._slots = threading.BoundedSemaphore(MAX_CONCURRENT)

    def get(self, target: str, headers: Mapping[str, str], peer: str) -> Response:
        """`headers` have lower-case names."""
        if self._loopback and not _names_loopback(headers.get("host", "")):
            return refused(421, "MISDIRECTED", "this server answers to localhost only")
        url = urlsplit(target)
        name = url.path.removeprefix("/api/")
        if name == url.path:
            return self._files.get(url.path) or refused(404, "NOT_FOUND", "nothing is here: go to /")
        if name not in self._api.names():
            return refused(404, "NOT_FOUND", f"ask /api/ for one of {', '.join(self._api.names())}")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return refused(403, "CROSS_SITE", "other sites may not ask")
        if not self._slots.acquire(blocking=False):
            return refused(503, "BUSY", "too many questions at once: try again in a second", retry_after_s=1)
        try:
            return self._ask(name, dict(parse_qsl(url.query)), HttpCaller(headers.items(), peer))
        finally:
            self._slots.release()

    def _ask(self, name: str, parameters: Mapping[str, str], caller: HttpCaller) -> Response:
        started, grants = perf_counter(), NOBODY
        try:
            grants = self._authorise(caller)
            answer, body = self._traced(name, parameters, caller, grants)
        except QueryError as error:
            METRICS.count("headwater_query_requests_total", method=f"web {name}", code=error.reason)
            self._observe(Asked(name, parameters, caller.peer(), grants, error, None, perf_counter() - started))
            return failure(error)
        METRICS.count("headwater_query_requests_total", method=f"web {name}", code="OK")
        self._observe(Asked(name, parameters, caller.peer(), grants, None, answer, perf_counter() - started))
        return Response(200, "application/json", body)

    def _traced(
        self, name: str, parameters: Mapping[str, str], caller: HttpCaller, grants: Grants
    ) -> tuple[Answer | FreshnessAnswer, bytes]:
        return traced(
            f"web {name}", caller.invocation_metadata, lambda: self._api.answer(name, parameters, grants), _first
        )


def _first(answered: tuple[Answer | FreshnessAnswer, bytes]) -> Answer | FreshnessAnswer:
    return answered[0]


def _handler(site: _Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "headwater", ""
        timeout = IDLE_S

        def do_GET(self) -> None:
            self._respond(with_body=True)

        def do_HEAD(self) -> None:
            self._respond(with_body=False)

        def _respond(self, with_body: bool) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            response = site.get(self.path, headers, str(self.client_address[0]))
            if response.etag and headers.get("if-none-match") == response.etag:
                response = msgspec.structs.replace(response, status=304, body=b"")
            self.send_response(response.status)
            for name, value in response.headers():
                self.send_header(name, value)
            self.end_headers()
            if with_body:
                self.wfile.write(response.body)

        def log_message(self, *_args: object) -> None:
            """Queries are nobody's business; metrics count them."""

    return Handler


class _V4(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class _V6(_V4):
    address_family = socket.AF_INET6


def _server_class(host: str) -> type[ThreadingHTTPServer]:
    return _V6 if ":" in host else _V4


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _names_loopback(host_header: str) -> bool:
    """Whether the browser meant this machine: a name of another site that resolves here is an attack (rebinding)."""
    host = urlsplit(f"//{host_header}").hostname or ""
    return _is_loopback(host) or host.endswith(".localhost")
