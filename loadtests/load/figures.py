"""What is measured of a run: percentiles, the split by stage, memory, and the index against git."""

import os
import resource
import statistics
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import pipeline_version
from headwater.deployment.parts.vectors import open_vectors
from headwater.deployment.system import System
from headwater.domain.view import ViewKey
from headwater.stack import Running
from load.repository import MAIN, LoadRepository
from load.split import Trace, split
from load.watch import Watch

EVERYTHING = 1 << 31


class Push(NamedTuple):
    """A commit and the epoch seconds just before its branch was moved to it."""

    commit: str
    at: float


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99 by the nearest rank."""
    ordered = sorted(seconds)
    if not ordered:
        return {}
    ranks = {"p50_s": 0.50, "p95_s": 0.95, "p99_s": 0.99}
    return {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * rank))], 3) for name, rank in ranks.items()}


def freshness(pushes: Sequence[Push], repository: LoadRepository, watch: Watch, traced: Trace) -> dict[str, Any]:
    """Commit-to-searchable of these pushes as a reader saw it, with the stages' medians; `unseen` never became so."""
    seconds: list[float] = []
    stages: dict[str, list[float]] = defaultdict(list)
    worst: dict[str, float] = {"seconds": 0.0}
    for push in pushes:
        seen = watch.searchable(repository.commits, push.commit)
        if seen is None:
            continue
        seconds.append(seen.at - push.at)
        row = traced.by_commit.get(push.commit)
        if row is not None and seen.commit == push.commit:
            parts = split(row, push.at, seen.at)
            for stage, taken in parts.items():
                stages[stage].append(taken)
            if seconds[-1] > worst["seconds"]:
                worst = {"seconds": round(seconds[-1], 3), **{s: round(taken, 3) for s, taken in parts.items()}}
    medians = {stage: round(statistics.median(taken), 3) for stage, taken in stages.items()}
    return {
        **percentiles(seconds),
        "pushes": len(pushes),
        "unseen": len(pushes) - len(seconds),
        "stages": medians,
        "worst": worst,
    }


def against_git(system: System, repositories: Iterable[LoadRepository]) -> tuple[int, int]:
    """(lost, ghosts): files and vectors that git has and the index lacks, and files that only the index has."""
    environ = system.environ()
    version = pipeline_version(environ)
    lost = ghosts = 0
    with closing(open_catalog(environ, version)) as catalog:
        vectors = open_vectors(environ, version)
        for repository in repositories:
            with catalog.pin([ViewKey(repository.name, MAIN)]) as scope:
                held = {row.path: row.blob for row in catalog.files(scope) if row.status == "indexed"}
                hashes = catalog.chunk_hashes(scope, EVERYTHING) or []
            wanted = repository.files()
            lost += sum(held.get(path) != blob for path, blob in wanted.items())
            lost += len(set(hashes)) - len(vectors.present(hashes))
            ghosts += len(held.keys() - wanted.keys())
    return lost, ghosts


def setbacks(system: System) -> dict[str, dict[str, int]]:
    """What had to be done again, by stage."""
    names = ("retries", "aborts", "back_pressure", "dead_letters")
    found = {
        service: {n: int(values[f"headwater_stage_{n}_total"]) for n in names if values[f"headwater_stage_{n}_total"]}
        for service, running in system.services.items()
        for values in [scraped(running)]
    }
    return {service: counts for service, counts in found.items() if counts}


def stage_rates(system: System) -> dict[str, float]:
    """Events a second of each stage while it works: handling and committing, without waiting."""
    rates = {}
    for name, running in system.services.items():
        values = scraped(running)
        busy = values.get("headwater_stage_handle_seconds_sum", 0.0) + values.get(
            "headwater_stage_commit_seconds_sum", 0.0
        )
        if busy:
            rates[name] = round(values.get("headwater_stage_events_total", 0.0) / busy, 1)
    return rates


def memory_mb(system: System) -> dict[str, int]:
    """Resident memory of every process with its children."""
    used: dict[int, int] = defaultdict(int)
    for fields in _processes():
        used[int(fields[3])] += int(fields[21]) * resource.getpagesize()
    processes = {**system.components, **system.services}
    return {name: used[running.pid] >> 20 for name, running in processes.items()}


def cpu_s(service: Running) -> float:
    """CPU seconds of a process and its children so far."""
    ticks = sum(int(f[11]) + int(f[12]) for f in _processes() if int(f[3]) == service.pid)
    return ticks / os.sysconf("SC_CLK_TCK")


def scraped(service: Running, label: str = "") -> Mapping[str, float]:
    """What its /metrics say by name, and by name and the value of `label` where there is one; the rest summed up."""
    with urllib.request.urlopen(f"http://{service.address('health')}/metrics", timeout=10) as reply:
        text = reply.read().decode()
    sums: dict[str, float] = defaultdict(float)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            sums[sample.name] += sample.value
            if label in sample.labels:
                sums[f"{sample.name} {sample.labels[label]}"] += sample.value
    return sums


def _processes() -> Iterator[list[str]]:
    """The fields of /proc/PID/stat from the state on; the fourth is the session, one for each process started."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            yield stat.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
