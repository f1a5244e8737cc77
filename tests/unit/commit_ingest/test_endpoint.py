"""The endpoint over real sockets: who sends slowly or wrongly keeps no genuine delivery out."""

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from headwater.commit_ingest.deliveries import Deliveries
from headwater.commit_ingest.endpoint import Endpoint
from headwater.limits import Limits

TOKEN = "t0ken"
LINE = f"{'a' * 40} {'b' * 40} refs/heads/main\n".encode()
GENUINE = {"X-Headwater-Token": TOKEN, "X-Headwater-Repository": "shop"}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr("headwater.runtime.http_connections.limits", lambda: Limits(webhook_connections=20))
    deliveries = Deliveries(lambda: {"shop": "/shop"}, lambda _events: None, {"hook": TOKEN}, ["main"])
    made = Endpoint(deliveries, ("127.0.0.1", 0))
    made.start()
    yield made
    made.stop()


def _post(endpoint: Endpoint, headers: Mapping[str, str] = GENUINE, body: bytes = LINE) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.port, timeout=30)
    connection.request("POST", "/hook", body, dict(headers))
    return connection.getresponse().status


def _raw(endpoint: Endpoint, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", endpoint.port), timeout=30) as connection:
        connection.sendall(request)
        return connection.recv(200).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "sent", [b"", b"POST /hook HTTP/1.1\r\nX: ", b"POST /hook HTTP/1.1\r\nContent-Length: 900\r\n\r\na"]
)
def test_s15_a_genuine_delivery_is_taken_beside_64_that_dawdle(endpoint: Endpoint, sent: bytes) -> None:
    with ExitStack() as opened:
        for _ in range(64):
            connection = socket.create_connection(("127.0.0.1", endpoint.port), timeout=30)
            opened.enter_context(connection)
            connection.sendall(sent)
        assert [_post(endpoint) for _ in range(3)] == [202, 202, 202]


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: -1",
        b"Content-Length: 9\r\nContent-Length: 3",
        b"Content-Length: +3",
        b"Content-Length: 9999999999999999999999",
        b"Transfer-Encoding: chunked\r\nContent-Length: 3",
        b"X: y",
    ],
)
def test_s15_a_length_that_is_not_plain_is_refused(endpoint: Endpoint, headers: bytes) -> None:
    answer = _raw(endpoint, b"POST /hook HTTP/1.1\r\n" + headers + b"\r\n\r\nabc")
    assert answer.split(b" ")[1] == b"411", json.dumps(answer.decode())
    assert _post(endpoint) == 202
