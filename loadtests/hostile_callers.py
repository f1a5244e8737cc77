"""What hostile callers cost everybody else: `python loadtests/hostile_callers.py` prints a table.

A server of its own on loopback, over a copy of this project's source. First other callers alone, for reference, then
the same beside callers that wait, that send a byte now and then, and that ask structural questions of the longest
length. At the end SIGTERM. Some 60 seconds; 100 connections at most.
"""

import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from headwater.limits import limits
from headwater.query.server import LIVENESS, ServerSettings
from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated import scope_pb2, structural_pb2
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub

SOURCE = Path(__file__).resolve().parents[1] / "services/headwater"
OTHERS, WAITERS, DAWDLERS, STRUCTURAL = 4, 64, 64, 32
WARM_S, MEASURED_S, PROBE_EVERY_S = 3.0, 12.0, 0.05
NAMES = ("Engine", "Sessions", "check_question", "diff_trees", "Deadline.remaining", "how are page tokens sealed")
LONGEST = "calls of open not inside a try block or " * 40


class Figures:
    """Seconds that calls took, and how many failed."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.failed = 0

    def percentile(self, percent: int) -> float:
        """In milliseconds."""
        return 1000 * statistics.quantiles(self.seconds, n=100)[percent - 1]


@contextmanager
def repeated(work: Callable[[], object], callers: int, pause_s: float = 0.0) -> Iterator[Figures]:
    """`work` again and again by so many callers while the context lasts."""
    figures, stop = Figures(), threading.Event()

    def call() -> None:
        while not stop.is_set():
            began = time.perf_counter()
            try:
                work()
                figures.seconds.append(time.perf_counter() - began)
            except ValueError:  # the channel is closed
                return
            except grpc.RpcError:
                figures.failed += 1
                stop.wait(0.05)
            stop.wait(pause_s)

    threads = [threading.Thread(target=call, daemon=True) for _ in range(callers)]
    for thread in threads:
        thread.start()
    yield figures
    stop.set()


def measured(stub: QueryServiceStub, health: health_pb2_grpc.HealthStub) -> tuple[Figures, Figures]:
    """Other callers' answers and the probe's, after a while."""
    turn = iter(range(10**9))
    ask = lambda: stub.Search(pb.SearchRequest(query=NAMES[next(turn) % len(NAMES)]), timeout=30)  # noqa: E731
    probe = lambda: health.Check(health_pb2.HealthCheckRequest(service=LIVENESS), timeout=30)  # noqa: E731
    with repeated(ask, OTHERS), repeated(probe, 1, PROBE_EVERY_S):
        time.sleep(WARM_S)
    with repeated(ask, OTHERS) as others, repeated(probe, 1, PROBE_EVERY_S) as probes:
        time.sleep(MEASURED_S)
    return others, probes


@contextmanager
def dawdlers(port: int) -> Iterator[None]:
    """Connections that send their request a byte at a time, opened again when they are closed."""
    stop = threading.Event()

    def dawdle() -> None:
        while not stop.is_set():
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                    for byte in b"GET /api/search?q=" + b"a" * 1000:
                        connection.send(bytes([byte]))
                        if stop.wait(1.0):
                            return
            except OSError:
                stop.wait(1.0)

    for _ in range(DAWDLERS):
        threading.Thread(target=dawdle, daemon=True).start()
    yield
    stop.set()


def under_attack(channel: grpc.Channel, web_port: int, opened: ExitStack) -> list[grpc.Future]:
    """Everything hostile at once; the waiters."""
    stub = QueryServiceStub(channel)
    never = pb.GetFreshnessRequest(scope=scope_pb2.Scope(min_commit="f" * 40))
    waiters = [stub.GetFreshness.future(never, timeout=110) for _ in range(WAITERS)]
    words = LONGEST[: limits().structural_words_bytes]
    structural = structural_pb2.StructuralSearchRequest(words=words)
    opened.enter_context(repeated(lambda: list(stub.StructuralSearch(structural, timeout=20)), STRUCTURAL))
    opened.enter_context(dawdlers(web_port))
    time.sleep(WARM_S)
    return waiters


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, int]]:
    """The process, its address, and the page's port."""
    repository = folder / "repository"
    shutil.copytree(SOURCE, repository, ignore=shutil.ignore_patterns("__pycache__", "generated"))
    environ = {**os.environ, "HEADWATER_HOME": str(folder / "home")}
    program = [sys.executable, "-P", "-m", "headwater.cli.main"]
    for line in (["git", "init", "-q"], ["git", "add", "-A"], ["git", *_AUTHOR, "commit", "-qm", "all"]):
        subprocess.run(line, cwd=repository, check=True)
    subprocess.run([*program, "index", str(repository)], env=environ, check=True, stdout=subprocess.DEVNULL)
    line = [*program, "serve", "--json", "--address", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    process = subprocess.Popen(line, env=environ, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        said = json.loads(process.stdout.readline())
        yield process, said["address"], int(said["web"].rstrip("/").rpartition(":")[2])
    finally:
        process.kill()
        process.wait()


_AUTHOR = ("-c", "user.name=load", "-c", "user.email=load@example.com")


def main() -> int:
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        process, address, web_port = opened.enter_context(served(folder))
        channel = opened.enter_context(grpc.insecure_channel(address))
        stub = QueryServiceStub(channel)
        health = health_pb2_grpc.HealthStub(opened.enter_context(grpc.insecure_channel(address, _OWN)))
        alone, alone_probes = measured(stub, health)
        waiters = under_attack(channel, web_port, opened)
        beside, beside_probes = measured(stub, health)
        still_waiting = sum(not waiter.done() for waiter in waiters)
        process.send_signal(signal.SIGTERM)
        began = time.perf_counter()
        process.wait(60)
        ended = time.perf_counter() - began
    print(
        f"{WAITERS} waiting ({still_waiting} to the end), {DAWDLERS} dawdling, {STRUCTURAL} structural callers at once"
    )
    print(f"{'':34}{'alone':>12}{'beside them':>14}{'budget':>16}")
    rows = (
        (f"search, {OTHERS} callers, p50 ms", alone.percentile(50), beside.percentile(50), "-"),
        (f"search, {OTHERS} callers, p95 ms", alone.percentile(95), beside.percentile(95), "twice"),
        ("searches that failed", alone.failed, beside.failed, "0"),
        ("liveness, p99 ms", alone_probes.percentile(99), beside_probes.percentile(99), "100"),
        ("liveness, longest ms", 1000 * max(alone_probes.seconds), 1000 * max(beside_probes.seconds), "-"),
    )
    for name, first, second, budget in rows:
        print(f"{name:34}{first:12.1f}{second:14.1f}{budget:>16}")
    print(f"{'SIGTERM to the end, s':34}{'':12}{ended:14.1f}{ServerSettings().longest_stop_s + 3:>16.0f}")
    held = beside.percentile(95) <= 2 * alone.percentile(95) and beside_probes.percentile(99) <= 100
    return 0 if held and not beside.failed else 1


_OWN = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own, as an orchestrator has

if __name__ == "__main__":
    sys.exit(main())
