"""Whatever comes over HTTP ends in a response of the page's own kind, and nothing is read in two ways."""

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from headwater.domain.grants import Grants
from headwater.query.engine import Engine
from headwater.web.caller import Asked, HttpCaller
from headwater.web.server import WebServer

HOST = "Host: localhost\r\n"
ASK = "GET /api/search?q=Store HTTP/1.1\r\n"


@pytest.fixture
def asked() -> list[Asked]:
    return []


@pytest.fixture
def server(engine: Engine, asked: list[Asked]) -> Iterator[WebServer]:
    with WebServer(engine, "127.0.0.1:0", observe=asked.append) as made:
        yield made


def _sent(server: WebServer, request: str | bytes) -> tuple[int, dict[str, str], bytes]:
    """The first response and what came after it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request if isinstance(request, bytes) else request.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        whole = b""
        while part := connection.recv(65_536):
            whole += part
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        (ASK + HOST + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", 400),
        (ASK + HOST + "x-git-token: a\r\nX-Git-Token: b\r\n\r\n", 400),
        (ASK + HOST + HOST + "\r\n", 400),
        (ASK + "\r\n", 400),
        (ASK + "Host: [\r\n\r\n", 400),
        (ASK + "Host: [::1\r\n\r\n", 400),
        (ASK + "Host: localhost@evil.example\r\n\r\n", 400),
        (ASK + "Host: localhost/evil\r\n\r\n", 400),
        (ASK + "Host: localhost.evil.example\r\n\r\n", 421),
        (ASK + "Host: 127.0.0.1.evil.example:8080\r\n\r\n", 421),
        (ASK + HOST + "Origin: http://evil.example\r\n\r\n", 403),
        (ASK + HOST + "Origin: null\r\n\r\n", 403),
        (ASK + HOST + "Sec-Fetch-Site: cross-site\r\n\r\n", 403),
        (ASK + HOST + "Content-Length: 5\r\n\r\nabcde", 400),
        (ASK + HOST + "Content-Length: -5\r\n\r\n", 400),
        (ASK + HOST + "Content-Length: 0\r\nContent-Length: 7\r\n\r\n", 400),
        (ASK + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (ASK + HOST + "X-Odd: caf\xe9\r\n\r\n", 400),
        ("GET /api/search?q=%zz HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET /api/search?q=%ff HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET /api/search?q=a&q=b HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET /api/search?" + "&".join(f"p{n}=1" for n in range(200)) + " HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET http://localhost/api/search?q=a HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET //[/ HTTP/1.1\r\n" + HOST + "\r\n", 404),
        ("GET /\x01 HTTP/1.1\r\n" + HOST + "\r\n", 400),
        ("GET /..%2fserver.py HTTP/1.1\r\n" + HOST + "\r\n", 404),
        ("GET /../../server.py HTTP/1.1\r\n" + HOST + "\r\n", 404),
        ("GET /%00 HTTP/1.1\r\n" + HOST + "\r\n", 404),
        ("POST /api/search HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nq=a", 405),
        ("OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n", 405),
        ("BREW / HTTP/1.1\r\n" + HOST + "\r\n", 405),
        ("GET / HTTP/2.0\r\n" + HOST + "\r\n", 400),
        ("GET / HTTP/x\r\n" + HOST + "\r\n", 400),
        ("GET /\r\n\r\n", 400),
        ("GET\r\n\r\n", 400),
        ("\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
        (ASK + HOST + "".join(f"X-{n}: 1\r\n" for n in range(200)) + "\r\n", 431),
        (ASK + HOST + "X-Long: " + "a" * 70_000 + "\r\n\r\n", 431),
        (ASK + HOST + "".join(f"X-{n}: {'a' * 3000}\r\n" for n in range(40)) + "\r\n", 431),
    ],
)
def test_s18_a_request_that_is_wrong_is_refused_in_json(server: WebServer, request_text: str, status: int) -> None:
    found, headers, body = _sent(server, request_text)
    assert found == status
    assert json.loads(body)["error"]["message"]
    assert headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"


def test_s18_a_url_without_end_is_refused(server: WebServer) -> None:
    assert _sent(server, "GET /api/search?q=" + "a" * 70_000 + " HTTP/1.1\r\n" + HOST + "\r\n")[0] in (414, 431)


def test_s18_a_body_that_looks_like_a_request_is_not_answered(server: WebServer) -> None:
    smuggled = f"GET / HTTP/1.1\r\n{HOST}\r\n"
    _, headers, body = _sent(server, f"{ASK}{HOST}Content-Length: {len(smuggled)}\r\n\r\n{smuggled}")
    assert headers["connection"] == "close"
    assert json.loads(body)


def test_s18_requests_in_a_row_and_old_ones_are_answered(server: WebServer) -> None:
    _, _, rest = _sent(server, (ASK + HOST + "\r\n") * 3)
    assert rest.count(b"HTTP/1.1 200") == 2
    assert _sent(server, f"GET / HTTP/1.0\r\n{HOST}\r\n")[0] == 200
    assert _sent(server, f"HEAD /api/search?q=Store HTTP/1.1\r\n{HOST}\r\n")[::2] == (200, b"")


def test_s16_what_is_refused_is_observed_too(server: WebServer, asked: list[Asked]) -> None:
    _sent(server, ASK + HOST + "Origin: null\r\n\r\n")
    _sent(server, "GET /api/close HTTP/1.1\r\n" + HOST + "\r\n")
    _sent(server, "GET /api/definitions?path=a&line=x HTTP/1.1\r\n" + HOST + "\r\n")
    assert [one.error.reason for one in asked if one.error] == ["CROSS_SITE", "NOT_FOUND", "INVALID_FIELD"]


class _Broken:
    def __getattr__(self, _name: str) -> Callable[..., Any]:
        raise RecursionError("secret words of the program")


def test_s16_a_fault_has_a_number_and_is_not_told() -> None:
    with WebServer(_Broken(), "127.0.0.1:0") as server:  # type: ignore[arg-type]
        status, _, body = _sent(server, ASK + HOST + "\r\n")
    assert status == 500
    assert b"secret" not in body
    assert json.loads(body)["error"]["reason"] == "INTERNAL"


def test_s10_who_is_revoked_during_a_long_answer_gets_nothing(
    engine: Engine, asked: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.web.site.AUTHORISED_FOR_S", 0.0)
    given = iter([Grants(), Grants(repos=frozenset())])

    def authorise(_caller: HttpCaller) -> Grants:
        return next(given)

    with WebServer(engine, "127.0.0.1:0", authorise, asked.append) as server:
        status, _, body = _sent(server, ASK + HOST + "\r\n")
    assert (status, json.loads(body)["error"]["reason"]) == (403, "ACCESS_ENDED")
    assert [one.error is not None for one in asked] == [True]


def test_s18_beyond_loopback_only_known_names_and_addresses_are_answered(engine: Engine) -> None:
    with WebServer(engine, "0.0.0.0:0", lambda _caller: Grants(), hosts=("code.example.com",)) as server:
        for host, status in (
            ("code.example.com", 200),
            ("10.1.2.3:80", 200),
            ("localhost", 200),
            ("evil.example", 421),
        ):
            assert _sent(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")[0] == status
