"""The MCP server: the tools, their hints and their errors, on stdio or streamable HTTP."""

import functools
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from headwater import __version__
from headwater.domain.asking import Asker
from headwater.domain.query_error import QueryError
from headwater.mcp_server.advice import advice
from headwater.mcp_server.reply import Freshness, Reply
from headwater.mcp_server.text import freshness_text, reply_text
from headwater.mcp_server.tools import Tools
from headwater.tracing.names import Kind
from headwater.tracing.spans import span

INSTRUCTIONS = (
    "Code search over an index that is exact for the commit each answer names. "
    "search finds code by meaning or name; definitions and usages are complete, not approximate; grep finds text; "
    "structural finds code by its shape; "
    "context gives whole definitions to read; freshness says what is indexed and waits for a commit. "
    "Narrow with repos, paths and languages before raising max_tokens."
)
READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def mcp_server(asker: Asker) -> MCPServer:
    """A server whose tools ask `asker`, from any number of threads."""
    server = MCPServer("headwater", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(asker)
    lookups = (tools.search, tools.definitions, tools.usages, tools.grep, tools.structural)
    for tool in (*lookups, tools.context, tools.freshness):
        server.add_tool(_answered(tool), annotations=READ_ONLY, description=_one_line(tool))
    return server


async def serve_http(server: MCPServer, listening: socket.socket) -> None:
    """Streamable HTTP at /mcp, stateless, until a signal. Requests that name another host are refused (rebinding)."""
    host = listening.getsockname()[0]
    app = server.streamable_http_app(host=host, stateless_http=True, json_response=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])


def _answered(tool: Callable[..., Reply | Freshness]) -> Callable[..., Any]:
    """Gives text and structured content, and turns query errors into advice."""

    @functools.wraps(tool)
    def answered(*args: Any, **arguments: Any) -> CallToolResult:
        try:
            with span(f"mcp {tool.__name__}", Kind.SERVER):
                reply = tool(*args, **arguments)
        except QueryError as error:
            raise ToolError(advice(error)) from error
        text = reply_text(reply) if isinstance(reply, Reply) else freshness_text(reply)
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=reply.model_dump())

    return answered


def _one_line(tool: Callable[..., Any]) -> str:
    return " ".join((tool.__doc__ or "").split())
