"""Latency of a running query server, by kind of question: `python ask.py 127.0.0.1:7070 names.txt questions.txt`."""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import grpc
from measure import table

from headwater.rpc.generated import query_service_pb2 as pb
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub

TIMEOUT_S = 60


def main() -> None:
    """Each file holds one query a line; refusals (unknown names) count as answers."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("address")
    arguments.add_argument("names", type=Path)
    arguments.add_argument("questions", type=Path)
    given = arguments.parse_args()
    names, questions = given.names.read_text().splitlines(), given.questions.read_text().splitlines()
    with grpc.insecure_channel(given.address) as channel:
        print(
            table(
                [("question", "n", "p50 ms", "p95 ms", "max ms"), *_rows(QueryServiceStub(channel), names, questions)]
            )
        )


def _rows(stub: QueryServiceStub, names: Sequence[str], questions: Sequence[str]) -> list[tuple[str, ...]]:
    def search(query: str) -> Any:
        return stub.Search(pb.SearchRequest(query=query), timeout=TIMEOUT_S)

    kinds: list[tuple[str, Sequence[str], Callable[[str], Any]]] = [
        ("identifier", names, search),
        ("part of a name", [n[1:-1] for n in names if len(n) > 6], search),
        ("natural language", questions, search),
        ("definitions", names, lambda n: stub.FindDefinitions(pb.FindDefinitionsRequest(symbol=n), timeout=TIMEOUT_S)),
        ("usages", names, lambda n: list(stub.FindUsages(pb.FindUsagesRequest(symbol=n), timeout=TIMEOUT_S))),
        ("grep", names, lambda n: stub.Grep(pb.GrepRequest(pattern=n), timeout=TIMEOUT_S)),
        ("context", questions, lambda q: stub.GetContext(pb.GetContextRequest(query=q), timeout=TIMEOUT_S)),
    ]
    return [_row(kind, queries, ask) for kind, queries, ask in kinds if queries]


def _row(kind: str, queries: Sequence[str], ask: Callable[[str], Any]) -> tuple[str, ...]:
    spent = sorted(_milliseconds(ask, query) for query in queries)
    p50, p95 = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
    return kind, str(len(spent)), f"{p50:.1f}", f"{p95:.1f}", f"{spent[-1]:.1f}"


def _milliseconds(ask: Callable[[str], Any], query: str) -> float:
    started = time.perf_counter()
    try:
        ask(query)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
    return (time.perf_counter() - started) * 1e3


if __name__ == "__main__":
    main()
