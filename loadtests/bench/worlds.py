"""Whether the time of an answer tells of what its caller may not read: two indexes that differ only in that.

`python loadtests/bench/worlds.py [--rounds N]` asks both every question of the test of two worlds by turns, in random
order. For each kind of question: p50 and p95 without and with what is hidden, and the Kolmogorov–Smirnov distance of
the two distributions beside the distance that chance exceeds once in a thousand times.
"""

import argparse
import math
import random
import sys
import tempfile
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.integration.query.test_worlds import CALLER, LIB, SECRET, SHOP, VAULT, asks

from headwater.rpc.generated.query_service_pb2_grpc import QueryServiceStub
from support.worlds import Ask, World

WARM = 3  # rounds
CHANCE = 1.95  # of a distance beyond this over the square root of the effective size: 0.001


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    """The largest difference of the two cumulative distributions."""
    a, b = sorted(a), sorted(b)
    return max(abs(bisect_right(a, x) / len(a) - bisect_right(b, x) / len(b)) for x in (*a, *b))


def by_chance(a: int, b: int) -> float:
    return CHANCE * math.sqrt((a + b) / (a * b))


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def millis(world: World, stub: QueryServiceStub, ask: Ask) -> float:
    started = time.perf_counter()
    world.reply(stub, ask)
    return (time.perf_counter() - started) * 1000


def measure(rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """Milliseconds by kind of question, without and with what is hidden."""
    taken: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    questions, dice = list(asks().items()), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        worlds = (
            World(Path(folder) / "without", {"shop": SHOP, "lib": LIB}),
            World(Path(folder) / "with", {"shop": {**SHOP, **SECRET}, "lib": LIB, "vault": VAULT}),
        )
        with worlds[0].served(CALLER) as (first,), worlds[1].served(CALLER) as (second,):
            for number in range(WARM + rounds):
                dice.shuffle(questions)
                for name, ask in questions:
                    for at in dice.sample((0, 1), 2):
                        ms = millis(worlds[at], (first, second)[at], ask)
                        if number >= WARM:
                            taken[name.split(" ")[0].rstrip(",")][at].append(ms)
        for world in worlds:
            world.close()
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    print("| kind | answers | p50 without, with | p95 without, with | distance | by chance |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind, (without, hidden) in sorted(measure(parser.parse_args().rounds).items()):
        middle = f"{percentile(without, 0.5):.2f}, {percentile(hidden, 0.5):.2f} ms"
        tail = f"{percentile(without, 0.95):.2f}, {percentile(hidden, 0.95):.2f} ms"
        bound = by_chance(len(without), len(hidden))
        print(f"| {kind} | {len(without)} | {middle} | {tail} | {distance(without, hidden):.3f} | {bound:.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
