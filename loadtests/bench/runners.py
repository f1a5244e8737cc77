"""The chunker's place under each runner on a real broker: the plain loop with and without transactions, and Faust.

`python loadtests/bench/runners.py [--events N] [--json]` starts a broker of its own and prints a row per runner.
"""

import argparse
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from headwater.events import ChunkChanged, FileChanged
from headwater.runtime.installed import stack_dir
from headwater.settings import load_settings
from headwater.stack import Kafka, Running
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.kafka import Intake, Publisher, create_topics
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.message import ToSend
from headwater.streaming.service_runner import StageSettings, run_stage
from headwater.streaming.stage import Outgoing
from headwater.streaming.topic_settings import topic_settings

RUNNERS = {
    "plain, transactions": {"RUNNER": "kafka", "TRANSACTIONS": "true"},
    "plain, idempotent only": {"RUNNER": "kafka", "TRANSACTIONS": "false"},
    "faust": {"RUNNER": "faust"},
}
SINGLES = 100
PREFIX = "HEADWATER_AST_CHUNKER_"


class OneChunk:
    """One small output per event: what is measured is the runner."""

    name = "ast-chunker"

    def handle(self, batch: Sequence[FileChanged]) -> Iterable[Outgoing]:
        for event in batch:
            chunk = ChunkChanged(
                repo=event.repo,
                ref=event.ref,
                generation=event.generation,
                content_hash=f"{event.generation:032x}",
                path=event.path,
                text="x" * 300,
                pushed_at=event.pushed_at,
            )
            yield Outgoing("chunk-changed", chunk.content_hash, chunk)


class Outputs:
    """Reads the stage's outputs as they are committed: how many there are, and how old each was when it came."""

    def __init__(self, connection: Connection, group: str) -> None:
        self.ages: list[float] = []
        self._stop = threading.Event()
        self._intake = Intake(connection, group, ["chunk-changed"], "bench")
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        while not self._intake.joined:
            time.sleep(0.01)

    def _read(self) -> None:
        while not self._stop.is_set():
            for message in self._intake.take(1_000, 0.1, 0):
                event = decode_event("chunk-changed", message.value)
                assert isinstance(event, ChunkChanged)
                self.ages.append(time.time() - event.pushed_at)

    def wait(self, count: int, wait_s: float = 120) -> None:
        deadline = time.monotonic() + wait_s
        while len(self.ages) < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(self.ages)} of {count} outputs after {wait_s:.0f} s")
            time.sleep(0.005)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self._intake.close()


def publish(publisher: Publisher, generations: range) -> None:
    now = time.time()
    messages = []
    for n in generations:
        path = f"src/{n % 97}.py"
        event = FileChanged(
            repo="r", ref="x", generation=n, path=path, mode=0o100644, blob="0" * 40, content=b"x" * 200, pushed_at=now
        )
        messages.append(ToSend("file-changed", path.encode(), encode_event(event)))
    publisher.publish(messages)


def measure(broker: Running, runner: str, events: int, folder: Path) -> dict[str, float]:
    """A fresh broker's topics, one process, a backlog and then single events."""
    connection = Connection(broker.address("broker"))
    create_topics(connection, topic_settings())
    publisher = Publisher(connection)
    publish(publisher, range(events))
    outputs = Outputs(connection, "bench")
    own = {"BROKERS": connection.brokers, "INSTANCE": "bench", "DATA": str(folder), **RUNNERS[runner]}
    environ = {**os.environ, **{PREFIX + name: value for name, value in own.items()}}
    with subprocess.Popen([sys.executable, __file__, "--stage"], env=environ) as stage:
        try:
            return _measured(stage.pid, publisher, outputs, events)
        finally:
            stage.terminate()
            outputs.stop()


def _measured(pid: int, publisher: Publisher, outputs: Outputs, events: int) -> dict[str, float]:
    started = time.monotonic()
    outputs.wait(1)
    first = time.monotonic()
    outputs.wait(events)
    backlog_s = time.monotonic() - first
    cpu_s, memory_mb = _cpu_s(pid), _resident_mb(pid)
    for n in range(events, events + SINGLES):
        publish(publisher, range(n, n + 1))
        time.sleep(0.03)
    outputs.wait(events + SINGLES)
    ages = sorted(outputs.ages[events : events + SINGLES])
    return {
        "first_s": round(first - started, 2),
        "events_per_s": round(events / backlog_s),
        "cpu_us_per_event": round(1e6 * cpu_s / events),
        "memory_mb": round(memory_mb),
        "p50_ms": round(1000 * statistics.median(ages), 1),
        "p95_ms": round(1000 * ages[int(0.95 * len(ages))], 1),
        "outputs": len(outputs.ages),
    }


def _cpu_s(pid: int) -> float:
    """Of the whole life of the process, its start included."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stage", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.stage:
        logging.basicConfig(level=logging.WARNING)
        return run_stage(OneChunk(), load_settings(StageSettings, "ast-chunker", os.environ))
    rows = {}
    for runner in RUNNERS:
        with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
            broker = Kafka().start(stack_dir(), Path(folder) / "kafka")
            try:
                rows[runner] = measure(broker, runner, arguments.events, Path(folder) / "faust")
            finally:
                broker.stop()
    if arguments.json:
        print(json.dumps(rows))
        return 0
    names = list(next(iter(rows.values())))
    print("| runner | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for runner, row in rows.items():
        print(f"| {runner} | " + " | ".join(str(row[name]) for name in names) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
