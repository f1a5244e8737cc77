"""The page's connections: so many at once, each with a time by which its request must be there."""

import logging
import socket
import threading
import time
from http.server import ThreadingHTTPServer
from typing import Any

from headwater.limits import count_reached, limits

IDLE_S = 30.0  # between two requests on a connection
LOG = logging.getLogger(__name__)


class Connections(ThreadingHTTPServer):
    """At most so many connections; one that dawdles over its request is closed."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._most, self._lock = limits().web_connections, threading.Lock()
        self._open: dict[socket.socket, float] = {}  # until when its request must be there

    def verify_request(self, request: Any, _address: Any) -> bool:
        with self._lock:
            if len(self._open) >= self._most:
                count_reached("web_connections")
                return False
            self._open[request] = time.monotonic() + IDLE_S
        return True

    def expect(self, request: socket.socket, seconds: float) -> None:
        """The connection is closed unless something else is expected of it by then."""
        with self._lock:
            if request in self._open:
                self._open[request] = time.monotonic() + seconds

    def service_actions(self) -> None:
        now = time.monotonic()
        with self._lock:
            late = [request for request, until in self._open.items() if until < now]
        for request in late:
            try:
                request.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
            except OSError:
                LOG.debug("a connection that dawdled is gone already")

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, _request: Any, address: Any) -> None:
        """A connection that broke is its caller's affair."""
        LOG.debug("the connection of %s broke", address, exc_info=True)


class Connections6(Connections):
    address_family = socket.AF_INET6
