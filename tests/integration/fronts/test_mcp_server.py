"""The MCP tools through the SDK's own client, in process, over an engine and over a query service."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from headwater.domain.asking import Asker
from headwater.mcp_server.server import mcp_server
from support.small_index import SmallIndex

Call = Callable[..., CallToolResult]


def _with_client(asker: Asker, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(mcp_server(asker)) as client:
            return await work(client)

    return anyio.run(run)


@pytest.fixture(params=["engine", "remote"])
def call(request: pytest.FixtureRequest) -> Call:
    asker = request.getfixturevalue(request.param)
    return lambda tool, **arguments: _with_client(asker, lambda client: client.call_tool(tool, arguments))


def _text(result: CallToolResult) -> str:
    block = result.content[0]
    assert block.type == "text"
    return block.text


def _facts(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, _text(result)
    assert result.structured_content is not None
    return result.structured_content


def test_tools_are_read_only_and_described(engine: Asker) -> None:
    listed = _with_client(engine, lambda client: client.list_tools()).tools
    assert [t.name for t in listed] == ["search", "definitions", "usages", "grep", "structural", "context", "freshness"]
    for tool in listed:
        assert tool.annotations.read_only_hint
        assert tool.output_schema
        assert len(tool.description) > 80
        assert all("description" in p or p.get("type") == "boolean" for p in tool.input_schema["properties"].values())


def test_search_names_place_and_commit(call: Call, index: SmallIndex) -> None:
    result = call("search", query="Store.save")
    facts, commit = _facts(result), index.catalog.views()[0].commit
    assert facts["results"][0]["at"] == "shop/store.py:4-6"
    assert facts["results"][0]["what"] == "method shop.store.Store.save"
    assert facts["as_of"][0].startswith(f"shop main {commit[:12]} (searchable since ")
    assert "shop/store.py:4-6 method shop.store.Store.save" in _text(result)
    assert commit[:12] in _text(result)


def test_definitions_by_place(call: Call) -> None:
    facts = _facts(call("definitions", symbol="app.py:3:1"))
    assert [h["at"] for h in facts["results"]] == ["shop/store.py:9-10"]
    assert facts["complete"]


def test_usages_are_all_there_or_counted(call: Call) -> None:
    whole = _facts(call("usages", symbol="write", kinds=["call"], max_tokens=20_000))
    assert whole["complete"]
    assert not whole["truncated"]
    assert len(whole["results"]) == whole["total"] == 123
    seen: list[str] = []
    while True:
        part = _facts(call("usages", symbol="write", kinds=["call"], max_tokens=1500, skip=len(seen)))
        seen += [h["at"] for h in part["results"]]
        assert part["truncated"]
        if not any("skip=" in note for note in part["notes"]):
            break
    assert seen == [h["at"] for h in whole["results"]]


def test_pages_within_a_budget_join_without_gap(call: Call) -> None:
    whole = [h["at"] for h in _facts(call("grep", pattern="return write(", limit=500, max_tokens=50_000))["results"]]
    seen: list[str] = []
    page = ""
    while True:
        result = call("grep", pattern="return write(", limit=500, max_tokens=900, page=page)
        part = _facts(result)
        assert len(_text(result)) < 900 * 3.5
        seen += [h["at"] for h in part["results"]]
        page = part["next_page"]
        assert part["truncated"] == bool(page)
        if not page:
            break
    assert seen == whole
    assert len(seen) == 121


def test_context_keeps_its_budget(call: Call) -> None:
    facts = _facts(call("context", query="Store.save", max_tokens=2000))
    assert facts["results"][0]["what"] == "method shop.store.Store.save (hit)"
    assert facts["results"][1]["what"] == "function shop.store.write (callee of save)"


def test_errors_say_what_to_do_next(call: Call) -> None:
    unknown = call("usages", symbol="Stoore")
    assert unknown.is_error
    assert "UNKNOWN_SYMBOL" in _text(unknown)
    assert "call search" in _text(unknown)
    pattern = call("grep", pattern="(", regex=True)
    assert pattern.is_error
    assert "BAD_PATTERN" in _text(pattern)
    repo = call("search", query="x", repos=["nowhere"])
    assert "call freshness" in _text(repo)


def test_freshness_lists_views_and_waits(call: Call, index: SmallIndex) -> None:
    commit = index.catalog.views()[0].commit
    views = _facts(call("freshness"))["views"]
    assert [(v["view"], v["commit"], v["default"]) for v in views] == [("shop@main", commit[:12], True)]
    assert _facts(call("freshness", min_commit=commit))["total"] == 1
    late = call("freshness", min_commit="f" * 40, timeout_s=0.1)
    assert "COMMIT_NOT_SEARCHABLE" in _text(late)


def test_an_empty_answer_says_what_to_try(call: Call) -> None:
    assert "no results" in _text(call("grep", pattern="nowhere to be found"))


def test_structural_says_what_it_ran(call: Call, index: SmallIndex) -> None:
    result = call("structural", words="calls to `write` inside a class")
    facts = _facts(result)
    assert [h["at"].partition(":")[0] for h in facts["results"]] == ["shop/store.py"]
    assert any(note.startswith("ran (") and "`write`" in note for note in facts["notes"])
    assert index.catalog.views()[0].commit[:12] in facts["as_of"][0]
    few = _facts(call("structural", words="calls to `write`", max_tokens=900))
    assert few["truncated"]
    assert len(few["results"]) < few["total"]
