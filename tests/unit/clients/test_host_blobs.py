"""Blobs over the APIs of the git hosts: real HTTP on loopback, for each host's own form of the question."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from headwater.clients.git_host import HostKind, HttpGitHost
from headwater.clients.host_blobs import HostBlobs
from headwater.domain.credential import Credential
from headwater.domain.tree import hash_blob

CONTENTS = {hash_blob(content): content for content in (b"one\n", b"\xff\x00two", b"x" * 2_000_000)}
WANTED = [("acme/shop", oid) for oid in CONTENTS]
ANN = Credential.of("anns-token")


class Api:
    """The three hosts' ways to a blob; it answers once `open`."""

    def __init__(self, status: int = 200) -> None:
        self.open, self.status, self.connections = threading.Event(), status, set[tuple[str, int]]()
        self.open.set()
        self.seen: list[tuple[str, str, str]] = []

    def answer(self, path: str, accept: str, authorization: str) -> tuple[int, bytes]:
        self.seen.append((path, accept, authorization))
        self.open.wait()
        oid = next((oid for oid in CONTENTS if oid in path), "")
        if authorization not in ("Bearer anns-token", "token anns-token") or not oid:
            return 404, b"{}"
        if path.startswith("/api/v1/repos/acme/shop/git/blobs/"):
            content = base64.b64encode(CONTENTS[oid]).decode()
            return self.status, json.dumps({"sha": oid, "encoding": "base64", "content": content}).encode()
        github = path == f"/repos/acme/shop/git/blobs/{oid}" and accept == "application/vnd.github.raw+json"
        gitlab = path == f"/api/v4/projects/acme%2Fshop/repository/blobs/{oid}/raw"
        return (self.status, CONTENTS[oid]) if github or gitlab else (404, b"")


@contextmanager
def serving(api: Api) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            api.connections.add(self.client_address)
            status, body = api.answer(self.path, self.headers["Accept"], self.headers.get("Authorization", ""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("kind", "base"), [(HostKind.GITHUB, ""), (HostKind.GITLAB, "/api/v4"), (HostKind.GITEA, "/api/v1")]
)
def test_each_host_gives_its_blobs(kind: HostKind, base: str) -> None:
    with serving(Api()) as url:
        found = dict(HostBlobs(HttpGitHost(kind, url + base)).blobs(ANN, WANTED, 10.0))
    assert found == {("acme/shop", oid): content for oid, content in CONTENTS.items()}


def test_without_a_credential_nothing_is_asked_and_a_foreign_one_gets_nothing() -> None:
    api = Api()
    with serving(api) as url:
        blobs = HostBlobs(HttpGitHost(HostKind.GITHUB, url))
        assert list(blobs.blobs(None, WANTED, 10.0)) == []
        assert list(blobs.blobs(ANN.remembered, WANTED, 10.0)) == []
        assert api.seen == []
        assert list(blobs.blobs(Credential.of("bobs"), WANTED, 10.0)) == []
        assert list(blobs.blobs(Credential.of("two\r\nlines"), WANTED, 10.0)) == []
    assert {authorization for _, _, authorization in api.seen} == {"Bearer bobs"}


def test_many_blobs_share_few_connections() -> None:
    api = Api()
    with serving(api) as url:
        wanted = [("acme/shop", f"{n:040x}") for n in range(60)] + WANTED
        found = dict(HostBlobs(HttpGitHost(HostKind.GITHUB, url), at_once=4).blobs(ANN, wanted, 30.0))
    assert len(found) == len(CONTENTS)
    assert len(api.seen) == len(wanted)
    assert len(api.connections) <= 4


def test_a_slow_host_costs_no_more_than_the_time_given() -> None:
    api = Api()
    api.open.clear()
    with serving(api) as url:
        assert list(HostBlobs(HttpGitHost(HostKind.GITHUB, url)).blobs(ANN, WANTED, 0.3)) == []
        api.open.set()


@pytest.mark.parametrize("status", [302, 401, 403, 500])
def test_whatever_is_no_plain_yes_gives_nothing(status: int) -> None:
    with serving(Api(status=status)) as url:
        assert list(HostBlobs(HttpGitHost(HostKind.GITHUB, url)).blobs(ANN, WANTED, 10.0)) == []


def test_a_host_that_is_down_gives_nothing_at_once() -> None:
    with serving(Api()) as url:
        pass
    assert list(HostBlobs(HttpGitHost(HostKind.GITHUB, url)).blobs(ANN, WANTED, 10.0)) == []


def test_names_and_ids_that_are_none_are_not_asked_for() -> None:
    api = Api()
    with serving(api) as url:
        odd = [("shop", "a" * 40), ("a/../b", "a" * 40), ("acme/shop", "../../secrets")]
        assert list(HostBlobs(HttpGitHost(HostKind.GITHUB, url)).blobs(ANN, odd, 10.0)) == []
    assert api.seen == []
