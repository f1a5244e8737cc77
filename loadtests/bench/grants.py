"""What access control costs, and whether what is hidden shows in the time: in process, one thread.

Three callers ask the same questions of their ten repositories: one of an index that holds only those ten, without
grants; one of an index of many repositories, of which a policy shows ten; one whose policy also denies paths.
"""

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import table

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from headwater.clients.static_model import StaticModel
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.policy import Policy, parse_policy
from headwater.domain.principal import Principal
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import ContextQuestion, DefinitionsQuestion, GrepQuestion, SearchQuestion
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.stores.mmap_vectors import MmapVectorStore
from support.small_index import SmallIndex

MODEL = StaticModel()
SHOWN = 10
WORDS = (
    *("order", "invoice", "parcel", "retry", "network", "disk", "money", "token"),
    *("session", "cache", "queue", "index", "branch", "commit", "tree", "lease"),
)


def sources(number: int) -> dict[str, str]:
    """Two small files whose names and words differ a little from those of the next repository."""
    dice = random.Random(number)
    made = {}
    for part in ("store", "service"):
        functions = []
        for n in range(4):
            noun, verb = dice.choice(WORDS), dice.choice(WORDS)
            functions.append(
                f'def {verb}_{noun}_{n}(value, {noun}):\n    """Keeps the {noun} of {verb} {number}."""\n'
                f"    {verb} = load_{noun}(value)\n    return save({verb}, {noun})\n\n\n"
                f"def load_{noun}(value):\n    return value\n"
            )
        made[f"{part}/{dice.choice(WORDS)}.py"] = "\n\n".join(functions)
    return made | {"secret/hidden.py": f"def save(a, b):\n    return 'token {number}'\n"}


class Indexed:
    """An index of repositories acme/r0, acme/r1, …; made if the folder has none yet."""

    def __init__(self, folder: Path, repositories: list[int]) -> None:
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        index = SmallIndex(folder, MODEL)
        vectors = MmapVectorStore(folder / "vectors", MODEL.version)
        index.vectors = vectors  # type: ignore[assignment]
        for number in repositories if fresh else ():
            index.commit(sources(number), f"acme/r{number}")
        self.engine = Engine(Parts(reader=index.catalog, vectors=VectorSide(MODEL, vectors)))


def questions(engine: Engine, turn: int) -> dict[str, list[Callable[[Grants], object]]]:
    """Calls of each kind, the same for every index, others in each turn."""
    dice = random.Random(turn)
    pairs = [(dice.choice(WORDS), dice.choice(WORDS)) for _ in range(40)]
    return {
        "identifier": [
            lambda g, a=a, b=b: engine.search(SearchQuestion(query=f"{a}_{b}_{turn % 4}"), g) for a, b in pairs
        ],
        "in words": [
            lambda g, a=a, b=b: engine.search(SearchQuestion(query=f"where is the {a} of {b} {turn} kept"), g)
            for a, b in pairs
        ],
        "definitions": [lambda g: engine.definitions(DefinitionsQuestion(symbol="save"), g) for _ in pairs],
        "grep": [lambda g, a=a: engine.grep(GrepQuestion(pattern=f"load_{a}(value)"), g) for a, _ in pairs],
        "context": [
            lambda g, a=a, b=b: engine.context(ContextQuestion(query=f"keep the {a} of {b} {turn}"), g)
            for a, b in pairs
        ],
    }


def timed(engine: Engine, kind: str, grants: Grants, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of wall clock and of CPU in all threads, each sorted; the first round doesn't count."""
    walls, cpus = [], []
    for turn in range(rounds + 1):
        for call in questions(engine, turn)[kind]:
            wall, cpu = time.perf_counter(), time.process_time()
            with contextlib.suppress(NotFoundError):
                call(grants)
            if turn:
                walls.append((time.perf_counter() - wall) * 1e3)
                cpus.append((time.process_time() - cpu) * 1e3)
    return sorted(walls), sorted(cpus)


def policy(shown: list[int], deny: list[str]) -> Grants:
    """A policy of many entries, of which one names the caller."""
    others = [{"to": [f"group:team{n}"], "repositories": [f"acme/r{n}*"]} for n in range(300)]
    mine = {"to": ["user:ann"], "repositories": [f"acme/r{n}" for n in shown], "deny": deny}
    tree = {"version": 1, "grants": [*others, mine]}
    return Policy(parse_policy(tree)).grants(Principal("user:ann"))


def percentile(took: list[float], share: float) -> float:
    return took[min(len(took) - 1, int(len(took) * share))]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repositories", type=int, default=3000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--folder", type=Path, help="keep the indexes here and use them again")
    asked = arguments.parse_args()
    shown = sorted(random.Random(3).sample(range(asked.repositories), SHOWN))
    with tempfile.TemporaryDirectory() as name:
        folder = asked.folder or Path(name)
        few = Indexed(folder / "few", shown).engine
        many = Indexed(folder / f"many-{asked.repositories}", list(range(asked.repositories))).engine
        callers = (
            ("ten, no grants", few, ALLOW_ALL),
            (f"ten of {asked.repositories}", many, policy(shown, [])),
            ("and paths denied", many, policy(shown, ["secret/"])),
        )
        rows = [("question", "caller", "wall p50 ms", "wall p95", "CPU p50 ms", "CPU p95", "CPU p95 against no grants")]
        for kind in questions(few, 0):
            base = 0.0
            for title, engine, grants in callers:
                wall, cpu = timed(engine, kind, grants, asked.rounds)
                figures = [percentile(took, share) for took in (wall, cpu) for share in (0.5, 0.95)]
                base = base or figures[-1]
                rows.append((kind, title, *(f"{f:.2f}" for f in figures), f"{figures[-1] / base - 1:+.0%}"))
        print(table(rows))


if __name__ == "__main__":
    main()
