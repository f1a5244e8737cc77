"""Connections of a small HTTP server: so many at once, each with a time by which its request must be there."""

import logging
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from headwater.limits import count_reached, limits

IDLE_S = 30.0  # between two requests on a connection
LOG = logging.getLogger(__name__)


class Connections(ThreadingHTTPServer):
    """At most so many connections, as the limit of this name says.

    One that dawdles over its request is closed: at its time, or at once where another one needs its place.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], limit: str) -> None:
        """Raises OSError when the address is taken."""
        super().__init__(address, handler)
        self._limit, self._most, self._lock = limit, int(getattr(limits(), limit)), threading.Lock()
        self._open: dict[socket.socket, float] = {}  # until when its request must be there, the oldest first
        self._answered: set[socket.socket] = set()  # whose request is there

    def verify_request(self, request: Any, _address: Any) -> bool:
        with self._lock:
            full = len(self._open) >= self._most
            dawdler = next((r for r in self._open if r not in self._answered), None) if full else None
            if full:
                count_reached(self._limit)
            if full and dawdler is None:
                return False
            self._open.pop(dawdler, None)  # type: ignore[arg-type]
            self._open[request] = time.monotonic() + IDLE_S
        if dawdler is not None:
            _end(dawdler)
        return True

    def expect(self, request: socket.socket, seconds: float, *, answered: bool = False) -> None:
        """The connection is closed unless something else is expected by then; `answered`: its request is there."""
        with self._lock:
            if request in self._open:
                self._open[request] = time.monotonic() + seconds
                (self._answered.add if answered else self._answered.discard)(request)

    def service_actions(self) -> None:
        now = time.monotonic()
        with self._lock:
            late = [request for request, until in self._open.items() if until < now]
        for request in late:
            _end(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
            self._answered.discard(request)
        super().shutdown_request(request)

    def handle_error(self, _request: Any, address: Any) -> None:
        """A connection that broke is its caller's affair."""
        LOG.debug("the connection of %s broke", address, exc_info=True)


class Connections6(Connections):
    """The same on an IPv6 address."""

    address_family = socket.AF_INET6


def _end(request: socket.socket) -> None:
    """Wakes the thread that reads from it."""
    try:
        request.shutdown(socket.SHUT_RDWR)
    except OSError:
        LOG.debug("a connection that dawdled is gone already")
