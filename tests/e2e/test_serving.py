"""`serve` answers over gRPC and, with --watch, a commit is searchable without any further command."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from headwater.rpc.generated import query_service_pb2, query_service_pb2_grpc
from support.program import FILES, PROGRAM, Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit(FILES)
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


@pytest.fixture
def stub(program: Program) -> Iterator[query_service_pb2_grpc.QueryServiceStub]:
    line = [PROGRAM, "serve", "--watch", "--interval", "0.2", "--address", "127.0.0.1:0", "--json"]
    process = subprocess.Popen(line, env=program.env, stdout=subprocess.PIPE)
    assert process.stdout is not None
    address = json.loads(process.stdout.readline())["address"]
    with grpc.insecure_channel(address) as channel:
        yield query_service_pb2_grpc.QueryServiceStub(channel)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


def test_a_commit_is_searchable_while_the_server_runs(
    program: Program, stub: query_service_pb2_grpc.QueryServiceStub
) -> None:
    request = query_service_pb2.SearchRequest(query="freshly_added")
    assert [r.path for r in stub.Search(request).results] == []
    commit = program.git.commit({**FILES, "new.py": b"def freshly_added():\n    return 'new'\n"})
    waiting = query_service_pb2.GetFreshnessRequest()
    waiting.scope.min_commit = commit
    stub.GetFreshness(waiting, timeout=30)
    reply = stub.Search(request)
    assert reply.results[0].path == "new.py"
    assert reply.summary.as_of[0].commit == commit
