"""The page's server over real HTTP: files, answers, errors, and what it refuses."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.deployment.web_page import web_page
from headwater.domain.grants import Grants
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.engine import Engine
from headwater.query.identity.audit import JsonLinesAuditLog
from headwater.query.identity.compose import AccessControl
from headwater.web.caller import HttpCaller
from headwater.web.server import WebServer
from support.small_index import SmallIndex


@pytest.fixture
def server(engine: Engine) -> Iterator[WebServer]:
    with WebServer(engine, "127.0.0.1:0") as made:
        yield made


def _get(server: WebServer, target: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    found = response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
    connection.close()
    return found


def _json(server: WebServer, target: str, **headers: str) -> Any:
    return json.loads(_get(server, target, **headers)[2])


def test_files_come_with_a_strict_policy_and_are_asked_for_again_cheaply(server: WebServer) -> None:
    status, headers, body = _get(server, "/")
    assert status == 200
    assert b"<title>Headwater</title>" in body
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert _get(server, "/", If_None_Match=headers["etag"])[0] == 304
    assert _get(server, "/app.js")[1]["content-type"] == "text/javascript"


@pytest.mark.parametrize("path", ["/../server.py", "/static/app.js", "/%2e%2e/server.py", "/api/", "/api/close"])
def test_nothing_else_is_served(server: WebServer, path: str) -> None:
    assert _get(server, path)[0] == 404


def test_search_answers_with_code_and_commit(server: WebServer, index: SmallIndex) -> None:
    page = _json(server, "/api/search?q=Store.save")
    first = page["results"][0]
    assert (first["path"], first["line"], first["last"]) == ("shop/store.py", 4, 6)
    assert first["lines"][0] == [4, 5, [["k", "def"], ["", " "], ["f", "save"], *first["lines"][0][2][3:]]]
    assert page["as_of"] == [{"repo": "shop", "ref": "refs/heads/main", "commit": index.catalog.views()[0].commit}]
    assert page["complete"]


def test_definitions_and_usages_of_a_place(server: WebServer) -> None:
    definitions = _json(server, "/api/definitions?path=app.py&line=3&col=1")
    assert [(r["path"], r["line"]) for r in definitions["results"]] == [("shop/store.py", 9)]
    usages = _json(server, "/api/usages?path=app.py&line=3&col=1&repo=shop")
    assert usages["total"] >= 123
    assert {r["path"] for r in usages["results"]} == {"app.py", "many.py", "shop/store.py"}


def test_pages_join(server: WebServer) -> None:
    first = _json(server, "/api/grep?q=return%20write")
    second = _json(server, f"/api/grep?q=return%20write&page={first['next_page']}")
    places = [(r["path"], r["line"]) for r in first["results"] + second["results"]]
    assert len(set(places)) == 40


def test_errors_are_status_reason_and_suggestions(server: WebServer) -> None:
    status, _, body = _get(server, "/api/usages?symbol=Stor")
    assert (status, json.loads(body)["error"]["reason"]) == (404, "UNKNOWN_SYMBOL")
    assert _get(server, "/api/search?q=")[0] == 400
    assert _get(server, "/api/definitions?path=a.py&line=x")[0] == 400


def test_other_sites_and_rebound_names_are_refused(server: WebServer) -> None:
    assert _get(server, "/api/views", Sec_Fetch_Site="cross-site")[0] == 403
    assert _get(server, "/api/views", Host="attacker.example")[0] == 421
    assert _get(server, "/api/views", Host=f"localhost:{server.port}")[0] == 200


def test_the_services_authorise_function_decides(engine: Engine) -> None:
    def authorise(caller: HttpCaller) -> Grants:
        found = dict(caller.invocation_metadata()).get("authorization", "")
        if not found:
            raise UnauthenticatedError("NO_IDENTITY", "say who asks")
        return Grants(repos=frozenset({"shop"} if found == "Bearer shop" else ()), principal=found)

    with WebServer(engine, "127.0.0.1:0", authorise) as server:
        status, headers, _ = _get(server, "/api/views")
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        assert len(_json(server, "/api/views", Authorization="Bearer shop")["views"]) == 1
        assert _json(server, "/api/views", Authorization="Bearer other")["views"] == []


def test_an_open_address_needs_an_authorise_function(engine: Engine) -> None:
    with pytest.raises(OSError, match="nothing says who may ask"):
        WebServer(engine, "0.0.0.0:0")


def test_what_the_page_asks_is_audited(engine: Engine, tmp_path: Path) -> None:
    log = JsonLinesAuditLog(tmp_path / "audit.jsonl")
    with web_page(engine, "127.0.0.1:0", AccessControl(None, None, log)) as server:
        assert _get(server, "/api/search?q=Store.save")[0] == 200
        assert _get(server, "/api/usages?symbol=Stor")[0] == 404
    found, unknown = (json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines())
    assert (found["method"], found["code"], found["as_of"][0]["repo"]) == ("web search", "OK", "shop")
    assert found["results"] >= 1
    assert "query" not in found
    assert (unknown["method"], unknown["reason"]) == ("web usages", "UNKNOWN_SYMBOL")
