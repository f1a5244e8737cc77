"""The MCP server: the tools, their hints and their errors, on stdio or streamable HTTP."""

import functools
import socket
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from headwater import __version__
from headwater.domain.asking import Asker
from headwater.domain.query_error import QueryError
from headwater.limits import limits
from headwater.mcp_server.advice import advice
from headwater.mcp_server.reply import Freshness, Reply
from headwater.mcp_server.stdio import standard_wire
from headwater.mcp_server.text import freshness_text, reply_text
from headwater.mcp_server.tools import Tools
from headwater.runtime.cancellation import Cancellation, cancelled_by
from headwater.tracing.names import Kind
from headwater.tracing.spans import span

INSTRUCTIONS = (
    "Code search over an index that is exact for the commit each answer names. "
    "search finds code by meaning or name; definitions and usages are complete, not approximate; grep finds text; "
    "structural finds code by its shape; "
    "context gives whole definitions to read; freshness says what is indexed and waits for a commit. "
    "Narrow with repos, paths and languages before raising max_tokens."
)
STOP_S = 1  # seconds that calls over HTTP may take longer than the server
READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def mcp_server(asker: Asker) -> MCPServer:
    """A server whose tools ask `asker`, from any number of threads."""
    server = MCPServer("headwater", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools, at_once = Tools(asker), anyio.CapacityLimiter(limits().mcp_calls)
    lookups = (tools.search, tools.definitions, tools.usages, tools.grep, tools.structural)
    for tool in (*lookups, tools.context, tools.freshness):
        server.add_tool(_answered(tool, at_once), annotations=READ_ONLY, description=_one_line(tool))
    return server


async def serve_stdio(server: MCPServer) -> None:
    """Until the client closes its end; what still works then is told so."""
    wire: Any = standard_wire()  # as much of an AsyncFile as the SDK uses
    async with stdio_server(wire, wire) as (incoming, outgoing):
        lowlevel = server._lowlevel_server
        await lowlevel.run(incoming, outgoing, lowlevel.create_initialization_options())


async def serve_http(server: MCPServer, listening: socket.socket) -> None:
    """Streamable HTTP at /mcp, stateless, until a signal. Requests that name another host are refused (rebinding)."""
    host = listening.getsockname()[0]
    app = server.streamable_http_app(host=host, stateless_http=True, json_response=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=STOP_S)).serve(
        sockets=[listening]
    )


def _answered(tool: Callable[..., Reply | Freshness], at_once: anyio.CapacityLimiter) -> Callable[..., Any]:
    """Gives text and structured content, and turns query errors into advice."""

    def asked(cancellation: Cancellation, arguments: dict[str, Any]) -> Reply | Freshness:
        with cancelled_by(cancellation), span(f"mcp {tool.__name__}", Kind.SERVER):
            return tool(**arguments)

    @functools.wraps(tool)
    async def answered(**arguments: Any) -> CallToolResult:
        cancellation = Cancellation()
        try:
            work = functools.partial(asked, cancellation, arguments)
            reply = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=at_once)
        except QueryError as error:
            raise ToolError(advice(error)) from error
        finally:
            cancellation.cancel()  # the client took its call back or is gone: whatever still works for it ends
        text = reply_text(reply) if isinstance(reply, Reply) else freshness_text(reply)
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=reply.model_dump())

    return answered


def _one_line(tool: Callable[..., Any]) -> str:
    return " ".join((tool.__doc__ or "").split())
