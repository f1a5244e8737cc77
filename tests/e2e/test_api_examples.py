"""The examples of docs/api.md, run as they stand against `headwater serve` over a small repository."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.rpc.generated import query_service_pb2
from support.git_repo import Files, RepoBuilder
from support.program import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "api.md").read_text("utf-8").split("## Examples")[1]
DOCUMENTED = "127.0.0.1:7070"
SERVICE = query_service_pb2.DESCRIPTOR.services_by_name["QueryService"]
TOOLS = ROOT / ".stack" / "tools" / "bin"
GRPCURL = shutil.which("grpcurl", path=f"{os.environ['PATH']}:{TOOLS}")
FILES: Files = {
    "app/store.py": (
        b'"""Orders on disk."""\n\n\nclass Store:\n    """Where orders are saved."""\n\n'
        b"    def save(self, order):\n        # TODO(ann): sync\n        return write(order)\n\n\n"
        b"def write(order):\n    return order\n"
    ),
    "app/till.py": b"from app.store import Store\n\n\ndef pay(order):\n    Store().save(order)\n",
    "tests/test_store.py": b"from app.store import Store\n\n\ndef test_save():\n    Store().save({})\n",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.replace("\\\n", "").splitlines()]
PROGRAMS = blocks("python")


class Serving:
    """A repository, its index and its server."""

    def __init__(self, folder: Path) -> None:
        self.repository = RepoBuilder(folder / "shop")
        self.commit = self.repository.commit(FILES)
        index, serve = ([PROGRAM, *shlex.split(line)[1:]] for line in blocks("console")[0].splitlines())
        self.env = {**os.environ, "HEADWATER_HOME": str(folder / "home")}
        subprocess.run(index, cwd=self.repository.path, env=self.env, check=True, capture_output=True)
        serve = ["127.0.0.1:0" if word == DOCUMENTED else word for word in serve]
        self._process = subprocess.Popen(
            [*serve, "--json"], cwd=self.repository.path, env=self.env, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self.address = json.loads(self._process.stdout.readline())["address"]

    def run(self, *command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=self.repository.path, env=self.env, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(30) == 0


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    made = Serving(tmp_path_factory.mktemp("api"))
    yield made
    made.stop()


def test_every_method_of_the_service_has_an_example() -> None:
    shown = {command.rsplit("/", 1)[1] for command in COMMANDS if "headwater.v1.QueryService/" in command}
    assert shown == {method.name for method in SERVICE.methods}


EXPECTED = {
    "list": "headwater.v1.QueryService",
    "headwater.v1.SearchRequest": "string query = 3",
    "Health/Check": '"status": "SERVING"',
    "Search": '"path": "app/store.py"',
    "FindDefinitions": '"qualified": "app.store.Store.save"',
    "FindUsages": '"path": "app/till.py"',
    "Grep": '"snippet": "        # TODO(ann): sync"',
    "GetContext": '"path": "app/store.py"',
    "StructuralSearch": '"path": "app/till.py"',
    "GetFileStatus": '"status": "indexed"',
    "ListViews": '"tree_proven": true',
    "GetFreshness": '"satisfied": true',
    "ReportOutcome": '"recorded": true',
}


@pytest.mark.skipif(GRPCURL is None, reason="grpcurl is not installed: make chart-tools, which needs go")
@pytest.mark.parametrize("command", COMMANDS, ids=[command.split()[-1] for command in COMMANDS])
def test_grpcurl(serving: Serving, command: str) -> None:
    assert command.startswith("grpcurl ")
    line = command.replace("grpcurl", str(GRPCURL), 1).replace(DOCUMENTED, serving.address)
    said = serving.run("bash", "-c", line)
    assert (
        EXPECTED[command.split()[-1].removeprefix("grpc.health.v1.").removeprefix("headwater.v1.QueryService/")] in said
    )
    if command.endswith("FindUsages"):
        assert "tests/test_store.py" not in said, "the example excludes it"


def _python(serving: Serving, folder: Path, program: str) -> list[str]:
    file = folder / "example.py"
    file.write_text(program.replace(DOCUMENTED, serving.address), "utf-8")
    return serving.run(sys.executable, file).splitlines()


def test_python_asks(serving: Serving, tmp_path: Path) -> None:
    said = _python(serving, tmp_path, PROGRAMS[0])
    assert said[0].startswith("app/store.py ")
    assert said[0].endswith(serving.commit)
    assert [line for line in said if line.endswith(" call")] == [
        "app/till.py 5 13 call",
        "tests/test_store.py 5 13 call",
    ]


def test_python_waits_and_reads_errors(serving: Serving, tmp_path: Path) -> None:
    found, error = _python(serving, tmp_path, PROGRAMS[1])
    assert found == "True app/store.py"
    assert error.startswith("NOT_FOUND headwater UNKNOWN_SYMBOL {")
    assert len(PROGRAMS) == 2


def test_the_json_is_that_of_the_command_line(serving: Serving) -> None:
    answer: Any = json.loads(serving.run(PROGRAM, "search", "Store.save", "--json"))
    assert answer["results"][0]["qualified"] == "app.store.Store.save"
    assert answer["as_of"][0]["commit"] == serving.commit
