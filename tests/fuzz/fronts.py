"""What reaches the fronts: any HTTP request gets one answer that isn't a server's error."""

import socket
from functools import cache

from hypothesis import strategies as st

from fuzz.questions import engine
from fuzz.target import Target
from fuzz.texts import any_bytes, any_text
from headwater.web.server import WebServer

_ESCAPES = st.sampled_from(
    ["%00", "%ff", "%", "%zz", "+", "&", "=", "#", "?", ";", "..", "%2e%2e%2f", "//", "[", "\ud800"]
)
_pieces = st.lists(st.one_of(_ESCAPES, any_text), max_size=4).map("".join)
_names = st.sampled_from(["", "api/search", "api/grep", "api/usages", "api/definitions", "api/views", "app.js", "../x"])
_keys = st.sampled_from(["q", "query", "pattern", "repo", "ref", "path", "page", "limit", "line", "col", "symbol"])
_parameters = st.lists(st.tuples(_keys, _pieces), max_size=3).map(lambda kv: "&".join(f"{k}={v}" for k, v in kv))
_headers = st.lists(
    st.tuples(
        st.sampled_from(
            ["Host", "Authorization", "Content-Length", "Transfer-Encoding", "Origin", "Cookie", "X", "Accept"]
        ),
        st.one_of(
            st.sampled_from(["localhost", "[", "Bearer x", "-1", "99999999999999999999", "chunked", "null"]), any_text
        ),
    ),
    max_size=4,
)
_requests = st.one_of(
    any_bytes,
    st.builds(
        lambda method, name, parameters, headers, body: _wire(method, f"/{name}?{parameters}", headers, body),
        st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS", "get", "", "G E T"]),
        _names,
        _parameters,
        _headers,
        any_bytes,
    ),
)


def _wire(method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogatepass") + body


@cache
def _server() -> WebServer:
    server = WebServer(engine(), "127.0.0.1:0")
    server.start()
    return server


def check_request(request: bytes) -> None:
    with socket.create_connection(("127.0.0.1", _server().port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    for line in answer.split(b"\r\n"):
        if line.startswith(b"HTTP/"):
            assert line.split(b" ")[1][:1] != b"5" or line.split(b" ")[1] == b"501", line


TARGETS = (Target("page", _requests, check_request, 60),)
