"""`headwater up` and `headwater dlq` as a user runs them, on the real components."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

pytest.importorskip("confluent_kafka")

from confluent_kafka import Producer

from headwater.cli.command_error import ExitStatus
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from headwater.runtime.installed import stack_dir
from headwater.stack import COMPONENTS
from support.program import FILES, PROGRAM, Program

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack"), pytest.mark.timeout(400)]

POISON = b'{"repo": 7}'


class Up:
    """The program, started on one repository and a folder of its own."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.program = program
        own = {"HEADWATER_COMMIT_INGEST_HOOK_TOKEN": "a-token", "HEADWATER_COMMIT_INGEST_POLL_S": "2"}
        line = [PROGRAM, "up", "--repo", str(program.git.path), "--data", str(folder), "--json"]
        line += ["--query-port", "0", "--webhook-port", "0"]
        self.process = subprocess.Popen(line, env={**program.env, **own}, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.said: dict[str, Any] = json.loads(self.process.stdout.readline())
        self.stub = QueryServiceStub(grpc.insecure_channel(self.said["query"]))

    @property
    def brokers(self) -> str:
        return str(self.said["components"]["kafka"]["broker"])

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Of operations, on this system's catalog."""
        url = f"postgresql://app@{self.said['components']['postgres']['sql']}/postgres"
        environ = {**self.program.env, "HEADWATER_CATALOG_URL": url}
        return subprocess.run([PROGRAM, *words], env=environ, capture_output=True, text=True, timeout=60, check=False)

    def pids(self) -> dict[str, int]:
        return {name: row["pid"] for kind in ("components", "services") for name, row in self.said[kind].items()}

    def wait_commit(self, commit: str) -> None:
        waiting = pb.GetFreshnessRequest()
        waiting.scope.min_commit = commit
        waiting.scope.refs.append("main")
        deadline = time.monotonic() + 60
        while not self._is_current(waiting):
            assert time.monotonic() < deadline, f"{commit} is not searchable"
            time.sleep(0.3)

    def _is_current(self, waiting: pb.GetFreshnessRequest) -> bool:
        try:
            return bool(self.stub.GetFreshness(waiting, timeout=20).satisfied)
        except grpc.RpcError:  # no view yet, or not in time
            return False

    def get(self, address: str, path: str) -> int:
        connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()


@pytest.fixture(scope="module")
def up() -> Iterator[Up]:
    missing = [name for name, component in COMPONENTS.items() if not component.installed(stack_dir())]
    if missing and not os.environ.get("HEADWATER_STACK_REQUIRED"):
        pytest.skip(f"{', '.join(missing)}: not installed; run `make stack`")
    folder = Path(tempfile.mkdtemp(prefix="headwater-up-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    program = Program(folder)
    program.git.commit(FILES)
    made = Up(program, folder / "data")
    yield made
    if made.process.poll() is None:
        made.process.terminate()
        made.process.wait(120)
    shutil.rmtree(folder, ignore_errors=True)


def test_up_says_what_runs_where_and_follows_the_repository(up: Up) -> None:
    assert set(up.said["components"]) == set(COMPONENTS)
    assert all(up.get(row["health"], "/readyz") == 200 for row in up.said["services"].values())
    commit = up.program.git.commit({**FILES, "new.py": b"def freshly_added():\n    return 'new'\n"})
    up.wait_commit(commit)
    found = up.stub.FindDefinitions(pb.FindDefinitionsRequest(symbol="freshly_added"))
    assert [(r.path, r.commit) for r in found.results] == [("new.py", commit)]


def test_a_push_told_to_the_hook_needs_no_polling(up: Up) -> None:
    commit = up.program.git.commit({**FILES, "hooked.py": b"def told(): pass\n"})
    connection = http.client.HTTPConnection(up.said["webhooks"].removeprefix("http://"), timeout=15)
    headers = {"X-Headwater-Token": "a-token", "X-Headwater-Repository": "shop"}
    connection.request("POST", "/hook", f"{'0' * 40} {commit} refs/heads/main\n", headers)
    assert connection.getresponse().status in (200, 202)  # 200: the poller was first
    up.wait_commit(commit)


def test_a_service_that_is_killed_is_started_again(up: Up) -> None:
    service = up.said["services"]["vector-sink"]
    os.kill(service["pid"], signal.SIGKILL)
    deadline = time.monotonic() + 60
    while up.get(service["health"], "/livez") == 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    while up.get(service["health"], "/readyz") != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_poisoned_event_is_listed_shown_and_replayed(up: Up) -> None:
    run, brokers = up.program.run, ("--brokers", up.brokers)
    assert run("dlq", "list", *brokers).stdout == "no dead letters\n"
    producer = Producer({"bootstrap.servers": up.brokers})
    producer.produce("file-changed", POISON, b"a-key", headers=[("traceparent", b"00-ab")])
    assert producer.flush(30) == 0
    [letter] = wait_letters(up, 1)
    assert letter["stage"] == "ast-chunker"
    assert letter["reason"].startswith("not a valid event: ")
    assert letter["source"].startswith("file-changed:")
    shown = run("dlq", "show", letter["id"], *brokers).stdout
    assert "key: a-key" in shown
    assert POISON.decode() in shown
    assert "traceparent" in shown
    replayed = run("dlq", "replay", letter["id"], *brokers)
    assert (replayed.returncode, letter["id"] in replayed.stdout) == (0, True)
    first, second = wait_letters(up, 2)  # its cause is not gone
    assert (first["source"], first["reason"]) != (second["source"], "")
    assert up.program.json("dlq", "list", "chunk-changed", *brokers) == {"letters": []}
    up.wait_commit(up.program.git.commit({**FILES, "after.py": b"def after(): pass\n"}))


def wait_letters(up: Up, number: int) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 60
    while len(letters := up.program.json("dlq", "list", "--brokers", up.brokers)["letters"]) < number:
        assert time.monotonic() < deadline
        time.sleep(0.3)
    assert len(letters) == number
    return list(letters)


@pytest.mark.parametrize(
    ("command", "status", "says"),
    [
        (("list",), ExitStatus.USAGE, "name Kafka's addresses with --brokers"),
        (("list", "no-such-topic", "--brokers", "{brokers}"), ExitStatus.USAGE, "no-such-topic"),
        (("show", "--brokers", "{brokers}"), ExitStatus.USAGE, "name the letters to show"),
        (("show", "17", "--brokers", "{brokers}"), ExitStatus.USAGE, "ids look like file-changed-dlq:0:17"),
        (("show", "chunk-changed-dlq:0:17", "--brokers", "{brokers}"), ExitStatus.NOT_FOUND, ""),
        (("list", "--brokers", "127.0.0.1:9"), ExitStatus.BUSY, "127.0.0.1:9"),
    ],
)
def test_dlq_says_what_is_wrong(up: Up, command: tuple[str, ...], status: int, says: str) -> None:
    done = up.program.run("dlq", *(word.format(brokers=up.brokers) for word in command))
    assert done.returncode == status, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_repository_is_paused_resumed_and_removed_by_command(up: Up) -> None:
    assert up.command("pause", "shop").stdout == "shop paused\n"
    commit = up.program.git.commit({**FILES, "later.py": b"def comes_later(): pass\n"})
    time.sleep(6)  # three looks of the poller
    assert commit not in {view.commit for view in up.stub.ListViews(pb.ListViewsRequest()).views}
    assert up.command("resume", "shop").returncode == 0
    up.wait_commit(commit)
    assert up.command("remove", "nothing").returncode == ExitStatus.NOT_FOUND
    assert up.command("remove", "shop").returncode == 0
    deadline = time.monotonic() + 30
    while up.stub.ListViews(pb.ListViewsRequest()).views:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_sigterm_ends_all_of_it(up: Up) -> None:
    up.process.terminate()
    assert up.process.wait(120) == 0
    assert [name for name, pid in up.pids().items() if Path(f"/proc/{pid}").exists()] == []
