"""The health port answers from the runner's state, with the cause."""

import http.client
import socket
from contextlib import ExitStack

from headwater.metrics import Metrics
from headwater.streaming.health import HealthServer


def get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path)
    reply = connection.getresponse()
    result = reply.status, reply.read().decode()
    connection.close()
    return result


def test_it_says_live_ready_and_why_not() -> None:
    cause, alive = "authentication failed", True
    metrics = Metrics()
    server = HealthServer(lambda: alive, lambda: cause, ("127.0.0.1", 0), metrics)
    server.start()
    try:
        assert get(server.port, "/livez") == (200, "live\n")
        assert get(server.port, "/readyz") == (503, "authentication failed\n")
        cause = ""
        assert get(server.port, "/readyz?verbose") == (200, "ready\n")
        alive = False
        assert get(server.port, "/livez")[0] == 503
        assert get(server.port, "/elsewhere")[0] == 404
        status, text = get(server.port, "/metrics")
        assert status == 200
        assert "headwater_process_resident_bytes" in text
    finally:
        server.stop()


def test_s15_liveness_is_answered_beside_200_connections_that_dawdle() -> None:
    server = HealthServer(lambda: True, lambda: "", ("127.0.0.1", 0), Metrics())
    server.start()
    try:
        with ExitStack() as opened:
            for _ in range(200):
                opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
            assert get(server.port, "/livez") == (200, "live\n")
    finally:
        server.stop()
