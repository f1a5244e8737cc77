"""The program itself: any command line ends with a line that says what to do, any MCP message has one answer."""

import contextlib
import io
import json
import os
import subprocess
import tempfile
import threading
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from hypothesis import strategies as st

from fuzz.target import Target
from fuzz.texts import any_bytes, any_text, json_values
from headwater.cli.main import main
from support.program import FILES, PROGRAM, Program

_SERVERS = {"serve", "watch", "up", "service", "mcp", "collect"}  # they run until stopped, or on real components
_COMMANDS = ["search", "usages", "defs", "grep", "struct", "files", "status", "context", "verify", "pause", "resume"]
_OPTIONS = ["--json", "--repo", "--ref", "--path", "--lang", "--limit", "--page", "--regex", "--ignore-case", "--mode",
            "--why", "--kind", "--worktree", "--min-commit", "--timeout", "--exact", "--query", "-x", "--"]  # fmt: skip
_words = any_text.filter(lambda text: "\0" not in text)
_lines = st.tuples(
    st.sampled_from(_COMMANDS),
    st.lists(
        st.one_of(st.sampled_from(_OPTIONS), _words, st.sampled_from(["1", "-1", "main", "shop", "."])), max_size=5
    ),
)


@cache
def _program() -> Program:
    program = Program(Path(tempfile.mkdtemp(prefix="headwater-fuzz-")))
    program.git.commit(FILES)
    assert program.run("index", str(program.git.path)).returncode == 0
    return program


def check_command(line: tuple[str, list[str]]) -> None:
    command, words = line
    if command in _SERVERS or "--help" in words or "-h" in words:
        return
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    os.environ["HEADWATER_HOME"] = str(_program().home)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            status = main([command, *words])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    assert "Traceback" not in said.getvalue(), said.getvalue()
    assert not status or said.getvalue().strip() or out.buffer.getvalue().strip(), f"status {status} without a word"


class _Mcp:
    """`headwater mcp` on stdio."""

    def __init__(self) -> None:
        program = _program()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([PROGRAM, "mcp"], env=program.env, stdin=pipe, stdout=pipe)
        self._answers: Queue[dict[str, Any] | None] = Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}
        self.write({"jsonrpc": "2.0", "id": "start", "method": "initialize", "params": start})
        assert "result" in self.answer("start")
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(json.loads(line))
        self._answers.put(None)

    def write(self, message: Any) -> None:
        self.write_line(json.dumps(message).encode())

    def write_line(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def answer(self, wanted: str) -> dict[str, Any]:
        """The answer to the request of this id; answers to others are passed over."""
        while True:
            try:
                found = self._answers.get(timeout=30)
            except Empty:
                raise AssertionError(f"no answer to {wanted}") from None
            assert found is not None, "the server has ended"
            if found.get("id") == wanted:
                return found

    def next_id(self) -> str:
        self._number += 1
        return f"n{self._number}"


@cache
def _mcp() -> _Mcp:
    return _Mcp()


_TOOLS = st.sampled_from(["search", "definitions", "usages", "grep", "structural", "context", "freshness", "no-such"])
_arguments = st.dictionaries(
    st.sampled_from(
        [
            "query",
            "symbol",
            "pattern",
            "words",
            "repos",
            "refs",
            "paths",
            "languages",
            "limit",
            "page",
            "max_tokens",
            "kinds",
        ]
    ),
    json_values(leaves=5),
    max_size=4,
)
_calls = st.tuples(_TOOLS, st.one_of(_arguments, json_values(leaves=4)))


def check_mcp_call(call: tuple[str, Any]) -> None:
    server = _mcp()
    number = server.next_id()
    params = {"name": call[0], "arguments": call[1]}
    server.write({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    answer = server.answer(number)
    assert ("result" in answer) != ("error" in answer), answer
    assert "Traceback" not in json.dumps(answer)


_keys = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"])
_messages = st.one_of(
    json_values(_keys, 8).map(lambda value: json.dumps(value).encode()),
    any_bytes.map(lambda raw: raw.replace(b"\n", b" ")),
)


def check_mcp_message(line: bytes) -> None:
    """Whatever came before, the next request is answered."""
    server = _mcp()
    server.write_line(line)
    number = server.next_id()
    server.write({"jsonrpc": "2.0", "id": number, "method": "ping"})
    assert "result" in server.answer(number)


TARGETS = (
    Target("commands", _lines, check_command, 40),
    Target("mcp_calls", _calls, check_mcp_call, 40),
    Target("mcp_messages", _messages, check_mcp_message, 40),
)
