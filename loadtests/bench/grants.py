"""What access control costs, and whether what is hidden shows in the time: in process, one thread.

Callers ask the same questions of ten repositories: of an index of just those, without grants; of an index of many,
naming the ten, without grants; of the same, where a policy shows ten; and where it also denies paths. The cost of
grants is against the second, the same index and scope without them. The last table compares asking for names that are
only in what is hidden with asking for names that are nowhere.
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
Call = Callable[[Grants], object]
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


def questions(engine: Engine, turn: int, repos: tuple[str, ...] = ()) -> dict[str, list[Call]]:
    """Calls of each kind, the same for every index, others in each turn."""
    dice = random.Random(turn)
    pairs = [(dice.choice(WORDS), dice.choice(WORDS)) for _ in range(40)]
    return {
        "identifier": [
            lambda g, a=a, b=b: engine.search(SearchQuestion(query=f"{a}_{b}_{turn % 4}", repos=repos), g)
            for a, b in pairs
        ],
        "in words": [
            lambda g, a=a, b=b: engine.search(
                SearchQuestion(query=f"where is the {a} of {b} {turn} kept", repos=repos), g
            )
            for a, b in pairs
        ],
        "definitions": [
            lambda g, a=a: engine.definitions(DefinitionsQuestion(symbol=f"load_{a}", repos=repos), g) for a, _ in pairs
        ],
        "grep": [
            lambda g, a=a: engine.grep(GrepQuestion(pattern=f"load_{a}(value)", repos=repos), g) for a, _ in pairs
        ],
        "context": [
            lambda g, a=a, b=b: engine.context(ContextQuestion(query=f"keep the {a} of {b} {turn}", repos=repos), g)
            for a, b in pairs
        ],
    }


def hidden_names(shown: list[int]) -> list[str]:
    """Names that many repositories define, but none of those shown."""
    seen = " ".join(text for number in shown for text in sources(number).values())
    return [name for a in WORDS for b in WORDS if f"def {(name := f'{a}_{b}_1')}(" not in seen][:60]


def timed(ask: Callable[[int], list[Call]], grants: Grants, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of wall clock and of CPU in all threads, each sorted; the first round doesn't count."""
    walls, cpus = [], []
    for turn in range(rounds + 1):
        for call in ask(turn):
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
        mine, names = policy(shown, []), tuple(f"acme/r{n}" for n in shown)
        callers = (
            ("only ten, no grants", few, (), ALLOW_ALL),
            ("ten named, no grants", many, names, ALLOW_ALL),
            ("ten by policy", many, (), mine),
            ("and paths denied", many, (), policy(shown, ["secret/"])),
        )
        rows = [("question", "caller", *FIGURES, "CPU p95 against ten named")]
        for kind in questions(few, 0):
            base = 0.0
            for title, engine, repos, grants in callers:
                figures = measured(lambda t, e=engine, r=repos, k=kind: questions(e, t, r)[k], grants, asked.rounds)
                base = figures[-1] if repos else base
                rows.append(
                    (kind, title, *(f"{f:.2f}" for f in figures), f"{figures[-1] / base - 1:+.0%}" if base else "")
                )
        print(table(rows))
        print()
        probes = hidden_names(shown)
        rows = [("asked for", *FIGURES)]
        for title, asked_for in (("only hidden", probes), ("nowhere", [f"{p}x" for p in probes])):
            calls = [lambda g, p=p: many.definitions(DefinitionsQuestion(symbol=p), g) for p in asked_for]
            rows.append((title, *(f"{f:.2f}" for f in measured(lambda _turn, c=calls: c, mine, asked.rounds))))
        print(table(rows))


FIGURES = ("wall p50 ms", "wall p95", "CPU p50 ms", "CPU p95")


def measured(ask: Callable[[int], list[Call]], grants: Grants, rounds: int) -> list[float]:
    return [percentile(took, share) for took in timed(ask, grants, rounds) for share in (0.5, 0.95)]


if __name__ == "__main__":
    main()
