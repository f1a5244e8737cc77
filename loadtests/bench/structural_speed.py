"""Speed of structural queries over many lines of Java, beside ast-grep over the same files: FOLDER…"""

import argparse
import os
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from headwater.structural.flowgraph.cache import MemoryGraphCache
from headwater.structural.flowgraph.compile import compile_query
from headwater.structural.flowgraph.index import Shard, Shards
from headwater.structural.flowgraph.search import matches
from headwater.structural.generate.corpus import Corpus
from headwater.structural.generate.pairs import make_pairs
from headwater.structural.match import Match
from headwater.structural.query import Query
from headwater.structural.route import can_scan
from headwater.structural.semgrep.scan import scan
from headwater.structural.source import FolderSources, SourceFile

LINES, QUERIES, SCANNED, SAMPLE, SEED = 1_500_000, 60, 6, 300, 9


def files_up_to(folders: list[Path], lines: int) -> list[SourceFile]:
    """Java files of the folders, again from the start under other paths until there are so many lines."""
    found: list[SourceFile] = []
    total = 0
    read = [file for folder in folders for file in FolderSources(folder) if file.language == "java"]
    for number, file in enumerate(cycle(read)):
        if total >= lines:
            return found
        found.append(SourceFile(f"{number // len(read)}/{file.path}", "java", file.content))
        total += file.content.count(b"\n")
    return found


def timed(work: Iterator[object]) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and number of results, all of them taken."""
    wall, processor = time.perf_counter(), time.process_time()
    number = sum(1 for _ in work)
    return time.perf_counter() - wall, time.process_time() - processor, number


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def search(shards: list[Shard], query: Query) -> Iterator[Match]:
    for shard in shards:
        yield from matches(shard.graph, compile_query(query).steps)


def compare(shards: list[Shard], files: list[SourceFile], queries: list[Query]) -> Iterator[str]:
    """Each query through the index and as a scan of every file."""
    for query in queries:
        _, indexed, found = timed(search(shards, query))
        _, scanned, _ = timed(scan(query, files))
        yield f"  {scanned / indexed:6.0f} times less CPU: {indexed:.3f} s, ast-grep {scanned:.2f} s, {found} matches"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--lines", type=int, default=LINES)
    options = parser.parse_args()
    files = files_up_to(options.folders, options.lines)
    lines = sum(file.content.count(b"\n") for file in files)
    sample = Corpus(Random(SEED).sample(files, SAMPLE))
    queries = [p.query for engine in ("semgrep", "flowgraph") for p in make_pairs(sample, engine, QUERIES, SEED)]
    cache = MemoryGraphCache()
    started = time.process_time()
    list(Shards(cache).of(files))
    built, started = time.process_time() - started, time.process_time()
    shards = list(Shards(cache).of(files))
    loaded = time.process_time() - started
    load = os.getloadavg()[0]
    spent = [timed(search(shards, query))[:2] for query in queries]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(files)} files, {lines} lines; {memory} MB; load {load:.1f}")
    print(f"graphs built in {built:.1f} CPU s, read from the cache in {loaded:.1f}")
    for kind, values in zip(("wall", "CPU"), zip(*spent, strict=True), strict=True):
        spread = f"p50 {percentile(values, 0.5):.3f} s, p95 {percentile(values, 0.95):.3f} s"
        print(f"{len(queries)} queries, every match taken, {kind}: {spread}", flush=True)
    print("\n".join(compare(shards, files, [query for query in queries if can_scan(query)][:SCANNED])))


if __name__ == "__main__":
    main()
