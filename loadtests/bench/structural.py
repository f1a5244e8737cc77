"""The structural search benchmark by the paper's protocol: python loadtests/bench/structural.py --corpus FOLDER.

Fetches the sources of ten Apache-2.0 Java projects, makes 200 queries an engine from them, translates their questions
without a language model and scores what is found beside the paper's figures. Prints the table of docs/structural.md.
"""

import argparse
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from structural_vectors import THRESHOLDS, MethodVectors

from headwater.structural.flowgraph.compile import compile_query
from headwater.structural.flowgraph.evaluate import run
from headwater.structural.flowgraph.graph import CODES, Graph, merge
from headwater.structural.generate.corpus import Corpus
from headwater.structural.generate.pairs import Pair, make_pairs
from headwater.structural.query import Construct, Query, encode, query
from headwater.structural.scoring import Place, Summary, score, summarize
from headwater.structural.semgrep.patterns import compile_query as to_semgrep
from headwater.structural.semgrep.program import SemgrepProgram, find_program
from headwater.structural.source import FolderSources, SourceFile
from headwater.structural.translate.grammar import read
from headwater.structural.translate.retrieve import PairIndex, fill
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Translator

PROJECTS = (
    "com.google.code.gson:gson:2.11.0",
    "org.apache.commons:commons-text:1.12.0",
    "com.fasterxml.jackson.core:jackson-core:2.17.2",
    "org.apache.commons:commons-pool2:2.12.0",
    "commons-beanutils:commons-beanutils:1.9.4",
    "joda-time:joda-time:2.12.7",
    "org.apache.commons:commons-jexl3:3.4.0",
    "org.apache.commons:commons-dbcp2:2.12.0",
    "commons-codec:commons-codec:1.17.0",
    "com.google.inject:guice:7.0.0",
)
PAIR_PROJECTS = (
    "commons-cli:commons-cli:1.8.0",
    "commons-validator:commons-validator:1.9.0",
    "commons-net:commons-net:3.11.1",
    "commons-io:commons-io:2.16.1",
)
QUESTIONS = Path(__file__).parents[2] / "tests/eval/structural"
SETS = {
    "independent, held out": ("independent_heldout.jsonl", None),
    "independent, looked at": ("independent_open.jsonl", None),
    "its author's own, held out": ("sloppy.jsonl", True),
    "its author's own, looked at": ("sloppy.jsonl", False),
}
KINDS = {"a negation": b'"is":"not"', "an alternative": b'"is":"any"', "a loop": b'"construct":"loop"'}
FILES_A_PROJECT, QUERIES, LITE, PAIRS, SEED = 70, 200, 100, 300, 20
ENGINES = ("semgrep", "flowgraph")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


class Sloppy(msgspec.Struct):
    id: str
    question: str
    engine: str
    held_out: bool
    query: Query


def fetch(coordinates: str, folder: Path) -> list[SourceFile]:
    """At most FILES_A_PROJECT files of a project's sources, always the same ones."""
    _, name, version = coordinates.split(":")
    unpacked = folder / f"{name}-{version}"
    if not unpacked.exists():
        artifact = f"-Dartifact={coordinates}:jar:sources"
        subprocess.run(["mvn", "-q", COPY, artifact, f"-DoutputDirectory={folder}"], check=True)
        with zipfile.ZipFile(folder / f"{name}-{version}-sources.jar") as jar:
            jar.extractall(unpacked, [member for member in jar.namelist() if member.endswith(".java")])
    files = list(FolderSources(unpacked))
    Random(7).shuffle(files)
    return [SourceFile(f"{name}-{version}/{f.path}", f.language, f.content) for f in files[:FILES_A_PROJECT]]


class Bench:
    """One corpus, merged, with what scoring on it needs."""

    def __init__(self, files: list[SourceFile], pairs: list[Pair]) -> None:
        self.files = files
        self.corpus = Corpus(files)
        self.graph: Graph = merge(list(zip(self.corpus.paths, self.corpus.graphs, strict=True)))
        self.symbols = Symbols(self.corpus.graphs)
        self.pairs = PairIndex(pairs)
        self._known: dict[Query, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
        self._method = np.full(len(self.graph), -1)  # each node's innermost method
        for method in np.flatnonzero(self.graph.kind == CODES[Construct.METHOD]):
            self._method[method : self.graph.last[method]] = method

    def nodes(self, made: Query) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        if made not in self._known:
            self._known[made] = np.flatnonzero(run(self.graph, compile_query(made).steps))
        return self._known[made]

    def lines(self, made: Query | None) -> set[Place]:
        found = self.nodes(made) if made is not None else np.zeros(0, dtype=np.int64)
        return {(self.graph.paths[self.graph.file[n]], int(self.graph.line[n])) for n in found}

    def methods(self, made: Query | None) -> set[Place]:
        """The innermost methods that hold a match."""
        found = self._method[self.nodes(made)] if made is not None else np.zeros(0, dtype=np.int64)
        return {(self.graph.paths[self.graph.file[n]], int(self.graph.line[n])) for n in np.unique(found[found >= 0])}

    def translator(self) -> Translator:
        return Translator(self.symbols, lambda made: bool(len(self.nodes(made))), self.pairs)


def translations(bench: Bench) -> dict[str, Callable[[str], Query | None]]:
    """The whole translator, and what each of its parts does alone."""
    whole, nothing = bench.translator(), Symbols()

    def grammar(question: str, symbols: Symbols) -> Query | None:
        target = read(question, symbols).target
        return query(target) if target is not None else None

    def nearest(question: str) -> Query | None:
        for example in bench.pairs.nearest(question, bench.symbols, 5):
            filled = fill(example.pair.query, question, bench.symbols)
            if filled is not None:
                return filled
        return None

    return {
        "translator": lambda question: whole.translate(question).query,
        "grammar alone": lambda question: grammar(question, bench.symbols),
        "grammar without the code's names": lambda question: grammar(question, nothing),
        "nearest pair alone": nearest,
    }


# What the paper reports (recall, precision, F1), with GPT-4o and NV-Embed-v2.
PAPER = {
    ("semgrep", "all, line"): (70.6, 69.4, 70.0),
    ("flowgraph", "all, line"): (59.9, 57.3, 58.5),
    ("semgrep", "all, method"): (71.6, 70.5, 71.1),
    ("flowgraph", "all, method"): (67.7, 65.4, 66.5),
    ("semgrep", "lite, line"): (64.0, 52.8, 57.9),
    ("flowgraph", "lite, line"): (72.7, 61.6, 66.7),
    ("semgrep", "vector search ≥ 0.25, method"): (71.0, 1.3, 2.6),
    ("semgrep", "vector search ≥ 0.5, method"): (20.1, 10.5, 13.8),
    ("semgrep", "vector search ≥ 0.75, method"): (0.0, 0.0, 0.0),
    ("flowgraph", "vector search ≥ 0.25, method"): (50.6, 6.2, 11.0),
    ("flowgraph", "vector search ≥ 0.5, method"): (10.8, 4.9, 6.7),
    ("flowgraph", "vector search ≥ 0.75, method"): (0.0, 0.0, 0.0),
}
Asked = tuple[str, Query]


Find = Callable[[str], set[Place]]


def scored(asked: Iterable[Asked], expected: Callable[[Query], set[Place]], find: Find) -> Summary:
    """Queries that match nothing in the corpus are left out."""
    wanted = ((question, expected(query)) for question, query in asked)
    return summarize([score(places, find(question)) for question, places in wanted if places])


def row(engine: str, name: str, summary: Summary) -> str:
    values = (summary.recall, summary.precision, summary.f1, summary.f1_of_means, summary.f1_micro)
    ours = " | ".join(f"{100 * value:.1f}" for value in values)
    paper = " / ".join(f"{value}" for value in PAPER[engine, name]) if (engine, name) in PAPER else ""
    return f"| {engine} | {name} | {summary.queries} | {ours} | {paper} |"


def agreement(bench: Bench, asked: list[Asked], environment: Path) -> str:
    """How many of the pattern-style queries Semgrep itself answers with the same lines."""
    program = find_program(environment)
    if program is None:
        return "Semgrep is not installed: its own reading was not compared"
    rules = [{**to_semgrep(wanted, "java"), "id": f"q{number}"} for number, (_, wanted) in enumerate(asked)]
    found: dict[str, set[Place]] = {f"q{number}": set() for number in range(len(asked))}
    for identity, match in SemgrepProgram(program).scan_rules(rules, bench.files):
        found[identity].add((match.path, match.start_line))
    scores = [score(found[f"q{n}"], bench.lines(wanted)) for n, (_, wanted) in enumerate(asked) if found[f"q{n}"]]
    same = sum(s.f1 == 1.0 for s in scores)
    agreed = f"finds exactly the same lines for {same} of {len(asked)} queries"
    return f"Semgrep itself {agreed}, mean F1 where it finds any {100 * summarize(scores).f1:.1f}"


HEAD = """| queries of | questions | n | recall | precision | F1 | F1 of means | F1 micro | paper: rec / prec / F1 |
|---|---|---:|---:|---:|---:|---:|---:|---|"""


def report(bench: Bench, sets: dict[str, list[Asked]], sloppy: dict[str, list[Sloppy]]) -> Iterable[str]:
    ways, vectors = translations(bench), MethodVectors(bench.graph, bench.files)
    whole = ways["translator"]

    lines = partial(_lines, bench, whole)
    yield HEAD
    for engine, asked in sets.items():
        yield row(engine, "all, line", scored(asked, bench.lines, lines))
        yield row(engine, "all, method", scored(asked, bench.methods, lambda question: bench.methods(whole(question))))
        yield row(engine, "lite, line", scored(asked[:LITE], bench.lines, lines))
        for least in THRESHOLDS:
            near = partial(vectors.near, threshold=least)
            yield row(engine, f"vector search ≥ {least}, method", scored(asked, bench.methods, near))
    for name, listed in sloppy.items():
        for engine in ENGINES:
            yield row(engine, f"sloppy, {name}", scored(_of(listed, engine), bench.lines, lines))
    everything = [question for listed in sloppy.values() for question in listed]
    for name, sign in KINDS.items():
        having = [question for question in everything if sign in encode(question.query)]
        for engine in ENGINES:
            yield row(engine, f"sloppy with {name}", scored(_of(having, engine), bench.lines, lines))
    for name, way in list(ways.items())[1:]:
        for engine, asked in sets.items():
            alone = partial(_lines, bench, way)
            yield row(engine, f"{name}, line", scored(asked, bench.lines, alone))
            unseen = _of(sloppy["independent, held out"], engine)
            yield row(engine, f"{name}, independent, held out", scored(unseen, bench.lines, alone))


def _lines(bench: Bench, way: Callable[[str], Query | None], question: str) -> set[Place]:
    return bench.lines(way(question))


def _of(listed: list[Sloppy], engine: str) -> list[Asked]:
    return [(question.question, question.query) for question in listed if question.engine == engine]


def read_sloppy(file: str, held_out: bool | None) -> list[Sloppy]:
    listed = msgspec.json.Decoder(Sloppy).decode_lines((QUESTIONS / file).read_bytes())
    return [question for question in listed if held_out in (None, question.held_out)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path(".cache/structural"))
    parser.add_argument("--semgrep", type=Path, default=Path(".stack/semgrep"))
    options = parser.parse_args()
    options.corpus.mkdir(parents=True, exist_ok=True)
    others = Corpus(file for name in PAIR_PROJECTS for file in fetch(name, options.corpus))
    pairs = [pair for engine in ENGINES for pair in make_pairs(others, engine, PAIRS, SEED)]
    bench = Bench([file for name in PROJECTS for file in fetch(name, options.corpus)], pairs)
    known = {pair.query for pair in pairs}
    started, sets = time.process_time(), {}
    for engine in ENGINES:
        made = [pair for pair in make_pairs(bench.corpus, engine, 2 * QUERIES, SEED + 1) if pair.query not in known]
        sets[engine] = [(pair.question, pair.query) for pair in made[:QUERIES]]
    spent = time.process_time() - started
    code_lines = sum(file.content.count(b"\n") for file in bench.files)
    print(f"{len(bench.files)} files, {code_lines} lines of {len(PROJECTS)} projects")
    print(f"{len(pairs)} pairs of {len(PAIR_PROJECTS)} other projects for retrieval")
    print(f"generator: {4 * QUERIES / spent:.0f} verified pairs a CPU second\n")
    sloppy = {name: read_sloppy(*where) for name, where in SETS.items()}
    for shown in report(bench, sets, sloppy):
        print(shown, flush=True)
    print(agreement(bench, sets["semgrep"], options.semgrep))


if __name__ == "__main__":
    main()
