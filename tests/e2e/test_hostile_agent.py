"""An agent that sends what it likes on standard input: every request gets one answer, and its going ends everything."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from support.program import FILES, PROGRAM, Program

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}
NEVER = {"name": "freshness", "arguments": {"min_commit": "f" * 40, "timeout_s": 120}}


class Agent:
    """A client that writes lines itself."""

    def __init__(self, program: Program, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [PROGRAM, "mcp", *command], env=program.env, stdin=pipe, stdout=pipe, stderr=pipe
        )
        self.send(_request(0, "initialize", HELLO))
        assert self.receive()["result"]
        self.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> list[Any]:
        """What it still said; it has to end by itself, long before a call of two minutes does."""
        out, err = self.process.communicate(timeout=30)
        assert b"Traceback" not in err, err.decode()
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """With an indexed shop."""
    made = Program(tmp_path_factory.mktemp("agent"))
    made.git.commit(FILES)
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


@pytest.fixture
def agent(program: Program) -> Iterator[Agent]:
    made = Agent(program)
    yield made
    made.process.kill()
    made.process.wait()


def _request(id: object, method: str, params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def _call(id: object, tool: str, **arguments: object) -> str:
    return _request(id, "tools/call", {"name": tool, "arguments": arguments})


def _nested(depth: int) -> str:
    return '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":' + "[" * depth


LINES = [  # and how many answers are due
    (_call(1, "search", query="\ud800"), 1),
    (_call(1, "search", query="a\0b"), 1),
    (_call(1, "search", query=1e400), 1),
    (_call(1, "search", query=["x"] * 3), 1),
    (_call(1, "search", query={"a": {"b": []}}), 1),
    (_call(1, "search"), 1),
    (_call(1, "search", query="x", limit=-1), 1),
    (_call(1, "search", query="x", limit=10**400), 1),
    (_call(1, "search", query="x", max_tokens="many"), 1),
    (_call(1, "search", query="x", page="-x"), 1),
    (_call(1, "search", query="x", unknown=1), 1),
    (_call(1, "search", query="x", repos="shop"), 1),
    (_call(1, "search", query="x" * 200_000), 1),
    (_call(1, "grep", pattern="(a{1000}){1000}", regex=True), 1),
    (_call(1, "grep", pattern="\udcff", regex=True), 1),
    (_call(1, "freshness", min_commit="zz", timeout_s=1e308), 1),
    (_call(1, "definitions", symbol="a:9999999999999999999999:1"), 1),
    (_call("\ud800", "search", query="x"), 1),
    (_call("a" * 10_000, "search", query="x"), 1),
    (_call(-(2**70), "search", query="x"), 1),
    (_call(None, "search", query="x"), 1),
    (_call(True, "search", query="x"), 1),
    (_call(1.5, "search", query="x"), 1),
    (_call([1], "search", query="x"), 1),
    (_call("", "search", query="x"), 1),
    (_call(1, "no such tool"), 1),
    (_request(1, "no/such/method", {}), 1),
    (_request(1, "tools/call", []), 1),
    (_request(1, "tools/call", {}), 1),
    (_request(1, "tools/call", {"name": 5, "arguments": {}}), 1),
    (_request(1, "tools/call", {"name": "search", "arguments": "x"}), 1),
    (_request(1, "tools/call", {"name": "search", "arguments": {"query": "x"}, "_meta": 7}), 1),
    (_request(1, "tools/call", {"name": "search", "arguments": {"query": "x"}, "_meta": {"progressToken": [1]}}), 1),
    (_request(1, "initialize", {}), 1),
    (_request(1, "resources/read", {"uri": "file:///etc/passwd"}), 1),
    (_request(1, "completion/complete", {"ref": {}}), 1),
    (_request(1, 7, {}), 1),
    ("{", 1),
    ("[]", 1),
    (f"[{_request(1, 'ping', {})}, {_request(2, 'ping', {})}]", 1),
    ("null", 1),
    ("7", 1),
    (b"\xff\xfe", 1),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\xff"}', 1),
    ("\0", 1),
    ('{"jsonrpc":"2.0","id":1,"method":"ping","params":NaN}', 1),
    ('{"jsonrpc":"1.0","id":1,"method":"ping"}', 1),
    ('{"id":1,"method":"ping"}', 1),
    ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 1),
    ('{"jsonrpc":"2.0","id":1}', 1),
    ("x" * 3_000_000, 1),
    (_nested(100_000), 1),
    (_nested(500) + "]" * 500 + "}}}", 1),
    ("", 0),
    ('{"jsonrpc":"2.0","method":"no/such"}', 0),
    ('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}', 0),
    ('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}', 0),
    ('{"jsonrpc":"2.0","method":"notifications/cancelled"}', 0),
    ('{"jsonrpc":"2.0","id":77,"result":{}}', 0),
]


def test_q6_every_request_gets_one_answer_whatever_it_holds(agent: Agent) -> None:
    wrong = []
    for number, (line, due) in enumerate(LINES):
        agent.send(line, _request(f"after {number}", "ping", {}))
        answers = []
        while True:
            answer = agent.receive()
            if answer.get("id") == f"after {number}":
                break
            answers.append(answer)
        agent.send(_request(f"later {number}", "tools/list", {}))
        while (answer := agent.receive()).get("id") != f"later {number}":
            answers.append(answer)
        if len(answers) < due:  # a tool takes longer than two pings
            answers.append(agent.receive())
        if len(answers) != due:
            wrong.append((line[:100], answers))
    assert not wrong
    assert agent.process.stdin is not None
    agent.process.stdin.close()
    agent.process.stdin = None
    assert agent.end() == []
    assert agent.process.returncode == 0


def test_q6_calls_in_parallel_and_ids_in_use(agent: Agent) -> None:
    agent.send(_request("wait", "tools/call", NEVER), _request("wait", "tools/call", NEVER))
    assert agent.receive()["error"]["message"].startswith("a request of this id")
    agent.send(*(_call(number, "search", query="validate_token") for number in range(40)))
    assert {agent.receive()["id"] for _ in range(40)} == set(range(40))
    agent.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"wait"}}')
    agent.send(_call("wait", "search", query="validate_token"))
    assert agent.receive()["id"] == "wait"


@pytest.mark.parametrize(
    ("way", "server"),
    [
        *((way, server) for way in ("cancel", "close") for server in (True, False)),
        *((way, False) for way in ("SIGTERM", "SIGINT", "both closed")),
    ],
)
def test_q6_whoever_goes_during_a_wait_ends_it(program: Program, way: str, server: bool) -> None:
    command = [PROGRAM, "serve", "--address", "127.0.0.1:0", "--json"]
    with ExitStack() as ending:
        address = []
        if server:
            served = subprocess.Popen(command, env=program.env, stdout=subprocess.PIPE)
            ending.callback(served.kill)
            assert served.stdout is not None
            address = ["--server", json.loads(served.stdout.readline())["address"]]
        agent = Agent(program, *address)
        ending.callback(agent.process.kill)
        agent.send(*(_request(number, "tools/call", NEVER) for number in range(1, 20)), _request("p", "ping", {}))
        assert agent.receive()["id"] == "p"
        if way == "cancel":
            for number in range(1, 20):
                agent.send(
                    json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
                )
            agent.send(_call("last", "search", query="validate_token"))
            assert agent.receive()["id"] == "last"
        if way == "both closed":
            assert agent.process.stdout is not None
            agent.process.stdout.close()
        if way.startswith("SIG"):
            agent.process.send_signal(getattr(signal, way))
        else:
            assert agent.process.stdin is not None
            agent.process.stdin.close()
        agent.process.wait(30)
