"""Latency of a running server: identifiers and questions in words, one caller on loopback.

Identifiers are defined names drawn at random from the index, questions are first sentences of documentation. The
reference is `git grep -w` for the same identifiers in the same run.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import grpc
from measure import HEADWATER, table

from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.rpc.generated.query_service_pb2 import SearchRequest
from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub


def subjects(repository: Path, count: int) -> tuple[list[str], list[str]]:
    """(identifiers, questions) of the indexed repository, drawn with a fixed seed."""
    dice = random.Random(7)
    with Product(Home.default()) as product:
        name = next(r.name for r in product.catalog.repositories() if r.location == str(repository.resolve()))
        refs = [s.view.ref for s in product.catalog.views() if s.view.repo == name]
        with product.catalog.pin([ViewKey(name, refs[0])]) as scope:
            rows = dice.sample(product.catalog.documents_containing(scope, []), 600)
            symbols = [s for r in rows for s in product.catalog.document(r.document_id).facts.symbols if not s.local]
    names = sorted({s.name for s in symbols if len(s.name) > 3})
    docs = sorted({s.doc for s in symbols if len(s.doc.split()) > 4})
    return dice.sample(names, min(count, len(names))), dice.sample(docs, min(count, len(docs)))


def timed(calls: list[Callable[[], object]]) -> list[float]:
    """Milliseconds of each call, sorted."""
    took = []
    for call in calls:
        started = time.perf_counter()
        call()
        took.append((time.perf_counter() - started) * 1e3)
    return sorted(took)


def row(name: str, took: list[float], goal: str) -> tuple[str, ...]:
    """Percentiles of one kind."""
    return (
        name,
        str(len(took)),
        *(f"{took[min(len(took) - 1, int(len(took) * q))]:.1f}" for q in (0.5, 0.95, 0.99)),
        goal,
    )


def main() -> None:
    """`HEADWATER_HOME=… python loadtests/bench/search.py REPOSITORY [-n COUNT]`; the repository is indexed there."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("repository", type=Path)
    arguments.add_argument("-n", "--count", type=int, default=300)
    given = arguments.parse_args()
    names, questions = subjects(given.repository, given.count)
    command = [HEADWATER, "serve", "--json", "--address", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        with grpc.insecure_channel(address) as channel:
            stub = QueryServiceStub(channel)

            def ask(text: str) -> Callable[[], object]:
                return lambda: stub.Search(SearchRequest(query=text), timeout=30)

            timed([ask(text) for text in (*names[:20], *questions[:20])])
            rows = [
                row("identifier", timed([ask(n) for n in names]), "p95 10"),
                row("in words", timed([ask(q) for q in questions]), "p95 50"),
            ]
        server.send_signal(signal.SIGTERM)
    grep = ["git", "-C", str(given.repository), "grep", "-w", "-F", "-e"]
    reference = [lambda n=n: subprocess.run([*grep, n, "HEAD"], capture_output=True, check=False) for n in names[:30]]
    rows.append(row("git grep -w (reference)", timed(list(reference)), ""))
    print(table([("query", "n", "p50 ms", "p95 ms", "p99 ms", "goal"), *rows]))


if __name__ == "__main__":
    main()
