"""Humans and agents ask a query service over gRPC, by locust: `python loadtests/query_load.py 127.0.0.1:7070`.

Exit status 1 when a budget of query_budgets.toml is not kept. Names to ask for come from the service itself.
"""

import grpc.experimental.gevent as grpc_gevent
from gevent import monkey

monkey.patch_all()
grpc_gevent.init_gevent()  # before any channel is made

import argparse  # noqa: E402
import random  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
import tomllib  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
import grpc  # noqa: E402
from locust import User, between, constant, task  # noqa: E402
from locust.env import Environment  # noqa: E402
from locust.stats import RequestStats  # noqa: E402

from headwater.rpc.generated import query_service_pb2 as pb  # noqa: E402
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub  # noqa: E402
from headwater.rpc.generated.scope_pb2 import Page  # noqa: E402

BUDGETS = tomllib.loads(Path(__file__).with_name("query_budgets.toml").read_text("utf-8"))
LONGEST_S = 120
TIMEOUT_S = 20
QUESTIONS = (
    "where is the configuration read",
    "how are errors retried",
    "parse a date from text",
    "open a connection with a timeout",
    "write results to a file",
    "check that the input is valid",
    "compare two versions",
    "cache the result of a call",
)
SEEDS = ("get", "set", "new", "read", "write", "open", "parse", "test", "value", "name")


class Asker:
    """One caller's channel; every call becomes a figure of its kind."""

    def __init__(self, address: str, environment: Environment, names: list[str]) -> None:
        self._channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self._stub, self._environment, self._names = QueryServiceStub(self._channel), environment, names

    def identifier(self) -> None:
        self._measured("identifier", lambda: self._search(random.choice(self._names)))

    def question(self) -> None:
        self._measured("question", lambda: self._search(random.choice(QUESTIONS)))

    def definitions(self) -> None:
        request = pb.FindDefinitionsRequest(symbol=random.choice(self._names))
        self._measured("definitions", lambda: self._stub.FindDefinitions(request, timeout=TIMEOUT_S))

    def usages(self) -> None:
        request = pb.FindUsagesRequest(symbol=random.choice(self._names))
        self._measured("usages", lambda: list(self._stub.FindUsages(request, timeout=TIMEOUT_S)))

    def grep(self) -> None:
        request = pb.GrepRequest(pattern=f"{random.choice(self._names)}(")
        self._measured("grep", lambda: self._stub.Grep(request, timeout=TIMEOUT_S))

    def context(self) -> None:
        request = pb.GetContextRequest(query=random.choice(QUESTIONS), max_tokens=4000)
        self._measured("context", lambda: self._stub.GetContext(request, timeout=TIMEOUT_S))

    def close(self) -> None:
        self._channel.close()

    def _search(self, query: str) -> Any:
        return self._stub.Search(pb.SearchRequest(query=query, page=Page(limit=20)), timeout=TIMEOUT_S)

    def _measured(self, kind: str, call: Callable[[], Any]) -> None:
        started, failure = time.perf_counter(), None
        try:
            call()
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                failure = error
        spent = (time.perf_counter() - started) * 1000
        self._environment.events.request.fire(
            request_type="grpc", name=kind, response_time=spent, response_length=0, exception=failure, context={}
        )


class Caller(User):
    """What both kinds of caller share."""

    abstract = True
    names: list[str]

    def on_start(self) -> None:
        self.asker = Asker(str(self.host), self.environment, self.names)

    def on_stop(self) -> None:
        self.asker.close()


class Human(Caller):
    """One query, then reading."""

    fixed_count = BUDGETS["run"]["humans"]
    wait_time = between(*BUDGETS["run"]["reading_s"])

    @task
    def ask(self) -> None:
        random.choice((self.asker.identifier, self.asker.question, self.asker.usages))()


class Agent(Caller):
    """A task of 5 to 20 queries, each as soon as the one before is answered."""

    fixed_count = BUDGETS["run"]["agents"]
    wait_time = constant(1)

    @task
    def work(self) -> None:
        asker = self.asker
        asker.question()
        kinds = (asker.identifier, asker.definitions, asker.usages, asker.grep, asker.context)
        for _ in range(random.randint(4, 19)):
            random.choice(kinds)()


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("address", help="host:port of a query service on this machine")
    arguments.add_argument("--seconds", type=float, default=BUDGETS["run"]["seconds"])
    given = arguments.parse_args()
    if given.address.rpartition(":")[0] not in ("127.0.0.1", "localhost", "[::1]"):
        arguments.error("load is made on loopback only")
    Caller.names = _names(given.address)
    environment = Environment(user_classes=[Human, Agent], host=given.address)
    runner = environment.create_local_runner()
    runner.start(Human.fixed_count + Agent.fixed_count, spawn_rate=50)
    gevent.sleep(min(given.seconds, LONGEST_S))
    runner.stop()
    print("\n".join(_table(environment.stats)))
    broken = list(_broken(environment.stats))
    print("\n".join(broken) or "every budget is kept")
    return 1 if broken else 0


def _names(address: str) -> list[str]:
    """Names of definitions that the service itself finds. Ends the program when it has none."""
    found: set[str] = set()
    with grpc.insecure_channel(address) as channel:
        stub = QueryServiceStub(channel)
        for seed in SEEDS:
            reply = stub.Search(pb.SearchRequest(query=f"sym:{seed}", page=Page(limit=100)), timeout=TIMEOUT_S)
            found |= {r.qualified.split(".")[-1] for r in reply.results if r.qualified}
    if not found:
        sys.exit("the service knows no definition: index a repository first")
    return sorted(found)


def _table(stats: RequestStats) -> Iterator[str]:
    yield "| kind | calls | failed | p50 ms | p95 ms | max ms | budget p95 |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for kind, budget in BUDGETS["p95_ms"].items():
        entry = stats.get(kind, "grpc")
        p50, p95 = (entry.get_response_time_percentile(share) or 0 for share in (0.5, 0.95))
        yield (
            f"| {kind} | {entry.num_requests} | {entry.num_failures} | {p50:.0f} | {p95:.0f} "
            f"| {entry.max_response_time:.0f} | {budget} |"
        )
    yield f"\n{stats.total.num_requests} calls, {stats.total.total_rps:.0f} a second"


def _broken(stats: RequestStats) -> Iterator[str]:
    """What is over budget, a line each."""
    for kind, budget in BUDGETS["p95_ms"].items():
        p95 = stats.get(kind, "grpc").get_response_time_percentile(0.95) or 0
        if p95 > budget:
            yield f"{kind}: p95 {p95:.0f} ms is over {budget} ms"
    total = stats.total
    if total.num_requests == 0 or total.num_failures / total.num_requests > BUDGETS["failures"]["share"]:
        yield f"{total.num_failures} of {total.num_requests} calls failed"


if __name__ == "__main__":
    sys.exit(main())
