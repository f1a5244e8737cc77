"""`headwater mcp` as an agent's program starts it: stdio, and streamable HTTP."""

import json
import signal
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from support.program import FILES, PROGRAM, Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit(FILES)
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


def _asked(target: StdioServerParameters | str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(target) as client:
            return await work(client)

    return anyio.run(run)


def _places(target: StdioServerParameters | str) -> list[str]:
    result = _asked(target, lambda client: client.call_tool("usages", {"symbol": "validate_token", "kinds": ["call"]}))
    return [hit["at"].rpartition(":")[0] for hit in result.structured_content["results"]]


def test_stdio(program: Program) -> None:
    server = StdioServerParameters(command=str(PROGRAM), args=["mcp"], env=program.env)
    assert _places(server) == ["shop/auth.py:13", "shop/views.py:5"]


def test_http_over_a_query_service(program: Program) -> None:
    with (
        Announced(program, "serve", "--address", "127.0.0.1:0") as serve,
        Announced(program, "mcp", "--http", "127.0.0.1:0", "--server", serve["address"]) as mcp,
    ):
        assert _places(mcp["url"]) == ["shop/auth.py:13", "shop/views.py:5"]


def test_http_stays_on_this_machine(program: Program) -> None:
    done = program.run("mcp", "--http", "0.0.0.0:0")
    assert done.returncode == 2
    assert "loopback" in done.stderr


class Announced:
    """A command that announces itself with one line of JSON, stopped at the end."""

    def __init__(self, program: Program, *command: str) -> None:
        self._process = subprocess.Popen([PROGRAM, *command, "--json"], env=program.env, stdout=subprocess.PIPE)

    def __enter__(self) -> dict[str, str]:
        assert self._process.stdout is not None
        announced: dict[str, str] = json.loads(self._process.stdout.readline())
        return announced

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
