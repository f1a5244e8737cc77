"""Callers over a real server: tokens of a real issuer, certificates, a real git host, policy, audit."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from headwater.clients.git_host import HostKind, HttpGitHost
from headwater.clients.static_model import StaticModel
from headwater.query.caller import allow_all
from headwater.query.engine import Engine, Parts
from headwater.query.identity.compose import access_control
from headwater.query.identity.settings import AccessSettings
from headwater.query.server import QueryServer, ServerSettings
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from headwater.settings import SettingsError
from support.loopback import Answer, Authority, Issuer, http_server
from support.small_index import SmallIndex

FILES = {"a.py": "def shown():\n    return 1\n", "secret/b.py": "def hidden():\n    return 'canary-7261'\n"}
REPOSITORIES = ("acme/app", "acme/lib", "vault")
POLICY = """version: 1
groups: {core: ["user:ann", "cert:builder"]}
grants:
  - {to: ["group:core"], repositories: ["acme/*"], deny: ["secret/"]}
  - {to: [anyone], repositories: ["acme/lib"], allow: ["a.py"]}
"""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    for repo in REPOSITORIES:
        made.commit(FILES, repo)
    yield made
    made.close()


@contextmanager
def _served(index: SmallIndex, settings: AccessSettings) -> Iterator[QueryServer]:
    control = access_control(settings, "127.0.0.1:0", lambda: REPOSITORIES)
    engine = Engine(Parts(reader=index.catalog))
    with QueryServer(
        engine,
        ServerSettings(address="127.0.0.1:0", grace_s=1, credentials=control.credentials),
        control.authorise or allow_all,
        audit=control.audit,
    ) as server:
        yield server
    engine.close()


def _repos(server: QueryServer, **metadata: str) -> list[str]:
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        headers = [(key.replace("_", "-"), value) for key, value in metadata.items()]
        return [v.repo for v in QueryServiceStub(channel).ListViews(pb.ListViewsRequest(), metadata=headers).views]


def _code(server: QueryServer, **metadata: str) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as caught:
        _repos(server, **metadata)
    code: grpc.StatusCode = caught.value.code()
    return code


def _policy(folder: Path, text: str = POLICY) -> str:
    path = folder / "policy.yaml"
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)
    return str(path)


def test_tokens_of_an_issuer_with_rotating_keys(index: SmallIndex, tmp_path: Path) -> None:
    issuer = Issuer()
    with http_server(issuer.answer) as issuer.url:
        settings = AccessSettings(oidc_issuer=issuer.url, oidc_audience="headwater", policy=_policy(tmp_path))
        with _served(index, settings) as server:
            assert _repos(server, authorization=f"Bearer {issuer.token('ann')}") == ["acme/app", "acme/lib"]
            assert _repos(server, authorization=f"bearer {issuer.token('bob')}") == ["acme/lib"]
            assert _repos(server, authorization=f"Bearer {issuer.token('x', groups=['core'])}")[0] == "acme/app"
            assert _code(server) is grpc.StatusCode.UNAUTHENTICATED
            assert _code(server, authorization="Basic YTpi") is grpc.StatusCode.UNAUTHENTICATED
            assert _code(server, authorization="Bearer nonsense") is grpc.StatusCode.UNAUTHENTICATED
            issuer.rotate()
            refused = issuer.token("ann")  # the unknown key was not fetched again: the last fetch is seconds ago
            assert _code(server, authorization=f"Bearer {refused}") is grpc.StatusCode.UNAUTHENTICATED


def test_f14_a_change_of_the_policy_revokes_at_once(index: SmallIndex, tmp_path: Path) -> None:
    settings = AccessSettings(anonymous=True, policy=_policy(tmp_path))
    with _served(index, settings) as server:
        assert _repos(server) == ["acme/lib"]
        _policy(tmp_path, "version: 1\ngrants: []\n")
        stop = time.monotonic() + 10
        while time.monotonic() < stop and _listed(server):
            time.sleep(0.1)
        assert not _listed(server)


def _listed(server: QueryServer) -> bool:
    return bool(_repos(server))


def test_certificates_name_callers(index: SmallIndex, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key, chain = authority.issue("server")
    (tmp_path / "server.key").write_bytes(key)
    (tmp_path / "server.pem").write_bytes(chain)
    settings = AccessSettings(
        tls_certificate=str(tmp_path / "server.pem"),
        tls_key=str(tmp_path / "server.key"),
        client_ca=str(authority.file),
        policy=_policy(tmp_path),
    )
    with _served(index, settings) as server:
        assert _over_tls(server, authority, "builder") == ["acme/app", "acme/lib"]
        assert _over_tls(server, authority, "stranger") == ["acme/lib"]
        with pytest.raises(grpc.RpcError) as caught:
            _over_tls(server, authority, None)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        (tmp_path / "other").mkdir()
        with pytest.raises(grpc.RpcError):
            _over_tls(server, authority, "builder", Authority(tmp_path / "other"))


def _over_tls(
    server: QueryServer, authority: Authority, name: str | None, signed_by: Authority | None = None
) -> list[str]:
    key, chain = (signed_by or authority).issue(name) if name else (None, None)
    credentials = grpc.ssl_channel_credentials(authority.pem, key, chain)
    with grpc.secure_channel(f"127.0.0.1:{server.port}", credentials) as channel:
        stub = QueryServiceStub(channel)
        return [v.repo for v in stub.ListViews(pb.ListViewsRequest(), timeout=10).views]


class _Host:
    """GitHub's, GitLab's or Gitea's API, as far as it says who reads which code."""

    def __init__(self) -> None:
        self.readable = {"Bearer good": {"acme/app"}, "token good": {"acme/app"}}
        self.down = False

    def answer(self, path: str, headers: dict[str, str]) -> Answer:
        if self.down:
            return 500, {}
        name = path.partition("/branches?")[0].removeprefix("/repos/").removeprefix("/projects/")
        name = name.removesuffix("/repository").replace("%2F", "/")
        known = self.readable.get(headers.get("authorization", ""))
        if known is None:
            return 401, {"message": "Bad credentials"}
        return (200, []) if name in known else (404, {"message": "Not Found"})


@pytest.mark.parametrize("kind", list(HostKind))
def test_a_git_host_is_asked_under_the_callers_token(kind: HostKind) -> None:
    host = _Host()
    with http_server(host.answer) as url:
        asked = HttpGitHost(kind, url)
        assert asked.reads("good", "acme/app", 5)
        assert not asked.reads("good", "vault/x", 5)
        assert not asked.reads("bad", "acme/app", 5)
        assert not asked.reads("good", "no-owner", 5)
        assert not asked.reads("good\r\nX: y", "acme/app", 5)
        host.down = True
        assert not asked.reads("good", "acme/app", 5)
    assert not asked.reads("good", "acme/app", 1)


def test_a_redirect_or_silence_is_a_no() -> None:
    with http_server(lambda _path, _headers: (302, {})) as url:
        assert not HttpGitHost(HostKind.GITHUB, url).reads("good", "acme/app", 5)
    with http_server(lambda _path, _headers: (time.sleep(1), (200, {}))[1]) as url:  # type: ignore[func-returns-value]
        assert not HttpGitHost(HostKind.GITHUB, url).reads("good", "acme/app", 0.2)


def test_policy_and_host_must_both_allow(index: SmallIndex, tmp_path: Path) -> None:
    host = _Host()
    with http_server(host.answer) as url:
        settings = AccessSettings(anonymous=True, git_host="github", git_host_api=url, git_host_ttl_s=0.2)
        with _served(index, settings) as server:
            assert _repos(server) == []
            assert _repos(server, x_git_token="bad") == []
            assert _repos(server, x_git_token="good") == ["acme/app"]
            host.readable["Bearer good"].clear()
            time.sleep(0.3)
            assert _repos(server, x_git_token="good") == []
        host.readable["Bearer good"] = {"acme/app", "acme/lib"}
        settings = AccessSettings(anonymous=True, git_host="github", git_host_api=url, policy=_policy(tmp_path))
        with _served(index, settings) as server:
            assert _repos(server, x_git_token="good") == ["acme/lib"]


def test_the_audit_log_has_who_and_what_but_no_source(index: SmallIndex, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    settings = AccessSettings(anonymous=True, audit_log=str(log))
    with _served(index, settings) as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = QueryServiceStub(channel)
        assert stub.Grep(pb.GrepRequest(pattern="canary-7261")).results
        with pytest.raises(grpc.RpcError):
            stub.FindDefinitions(pb.FindDefinitionsRequest(symbol="nothing_of_this_name"))
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(r["method"], r["principal"], r["code"]) for r in records] == [
        ("Grep", "anyone", "OK"),
        ("FindDefinitions", "anyone", "NOT_FOUND"),
    ]
    assert records[0]["results"] == 3
    assert {a["repo"] for a in records[0]["as_of"]} == set(REPOSITORIES)
    assert records[1]["reason"] == "UNKNOWN_SYMBOL"
    assert "canary" not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_queries_are_recorded_where_configured(index: SmallIndex, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    settings = AccessSettings(anonymous=True, audit_log=str(log), audit_queries=True)
    with _served(index, settings) as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        QueryServiceStub(channel).Search(pb.SearchRequest(query="shown"))
    assert json.loads(log.read_text())["query"] == "shown"


@pytest.mark.parametrize(
    ("settings", "address", "said"),
    [
        (AccessSettings(), "0.0.0.0:7070", "HEADWATER_ACCESS_ANONYMOUS"),
        (AccessSettings(policy="x"), "127.0.0.1:0", "No such file|can't be read"),
        (AccessSettings(oidc_issuer="https://x.example"), "127.0.0.1:0", "audience"),
        (AccessSettings(oidc_issuer="http://x.example", oidc_audience="a"), "127.0.0.1:0", "https"),
        (AccessSettings(git_host="github", git_host_api="https://api.github.com"), "127.0.0.1:0", "needs callers"),
        (AccessSettings(tls_certificate="x"), "127.0.0.1:0", "go together"),
    ],
)
def test_settings_that_leave_a_door_open_are_refused(settings: AccessSettings, address: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        access_control(settings, address, lambda: ())


def test_anonymous_beyond_loopback_is_explicit() -> None:
    control = access_control(AccessSettings(anonymous=True), "0.0.0.0:7070", lambda: ())
    assert control.authorise is not None
    assert access_control(AccessSettings(), "127.0.0.1:7070", lambda: ()).authorise is None
