"""Commit to searchable on the whole system: steady load, a burst, a rename, and pushes during a bulk load.

`python loadtests/freshness.py [--seconds N] [--json]` starts every component and service, and stops them at the end.
"""

import argparse
import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from load.figures import Push, against_git, freshness, memory_mb, setbacks, stage_rates
from load.repository import LoadRepository, call_hook, source
from load.split import trace
from load.watch import Watch

from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import pipeline_version
from headwater.deployment.system import Plan, System
from headwater.stores.catalog import Repository

TOKEN = "load"
FILES, RENAMED, BULK_FILES = 600, 400, 10_000
STEADY, BURST = 2, 20  # chunks a second
PUSH_EVERY_S = 0.5
BULK_WAIT_S = 420.0
SETTLE_S = 60.0

Pushes = list[Push]


class Load:
    """The live repository under load."""

    def __init__(self, system: System, repository: LoadRepository, watch: Watch) -> None:
        self.system, self.repository, self.watch = system, repository, watch
        self._revision = 0

    def push(self, changes: dict[str, bytes | None]) -> Push:
        at = time.time()
        push = Push(self.repository.commit(changes), at)
        call_hook(f"127.0.0.1:{self.system.ports['webhooks!']}", TOKEN, self.repository)
        return push

    def edit(self, files: int) -> Push:
        """Change one function, which is one chunk, in each of some files."""
        self._revision += 1
        numbers = [(self._revision * files + i) % (FILES - RENAMED) for i in range(files)]
        return self.push({path(n): source(n, self._revision) for n in numbers})

    def run(self, chunks_per_s: int, seconds: float, every_s: float = PUSH_EVERY_S) -> Pushes:
        """A push every so often with as many changed chunks as make the rate, and then until all are searchable."""
        pushes, begun = [], time.monotonic()
        while (passed := time.monotonic() - begun) < seconds:
            pushes.append(self.edit(max(1, round(chunks_per_s * every_s))))
            time.sleep(max(0.0, every_s - (time.monotonic() - begun - passed)))
        self.watch.wait_for(pushes[-1].commit, SETTLE_S)
        return pushes

    def rename(self) -> float:
        """A folder of RENAMED files gets another name; seconds until a reader sees it."""
        moved = {path(n): None for n in range(FILES - RENAMED, FILES)}
        added = {f"moved_{n // 100:03}/case_{n}.py": source(n) for n in range(FILES - RENAMED, FILES)}
        push = self.push({**moved, **added})
        seen = self.watch.wait_for(push.commit, SETTLE_S)
        return round(seen.at - push.at, 3) if seen is not None else -1.0


def path(number: int) -> str:
    return f"part_{number // 100:03}/case_{number}.py"


def bulk_load(load: Load, folder: Path) -> tuple[LoadRepository, Pushes, dict[str, Any]]:
    """A repository of BULK_FILES files is taken in while one-file pushes go on."""
    bulk = LoadRepository(folder / "bulk.git", "bulk")
    contents = {path(n): source(n, functions=6) for n in range(BULK_FILES)}
    commit = bulk.commit(contents)
    environ = load.system.environ()
    with closing(open_catalog(environ, pipeline_version(environ))) as catalog:
        catalog.add_repository(Repository(bulk.name, str(bulk.path)))
    lines = sum(content.count(b"\n") + 1 for content in contents.values())
    pushes: Pushes = []
    done = threading.Event()
    with Watch(f"127.0.0.1:{load.system.ports['query!']}", bulk.name) as watch:
        begun = time.time()
        call_hook(f"127.0.0.1:{load.system.ports['webhooks!']}", TOKEN, bulk)
        waiting = threading.Thread(target=lambda: (watch.wait_for(commit, BULK_WAIT_S), done.set()))
        waiting.start()
        while not done.wait(2.0):
            pushes.append(load.edit(1))
        waiting.join()
        seen = watch.searchable(bulk.commits, commit)
    seconds = seen.at - begun if seen is not None else float("nan")
    load.watch.wait_for(load.repository.commits[-1], SETTLE_S)
    return bulk, pushes, {"files": BULK_FILES, "seconds": round(seconds, 1), "lines_per_s": round(lines / seconds)}


def measure(seconds: float, folder: Path, told: Callable[[str], None], bulk_too: bool) -> dict[str, Any]:
    live = LoadRepository(folder / "live.git", "live")
    first = live.commit({path(n): source(n) for n in range(FILES)})
    settings = {"HEADWATER_COMMIT_INGEST_HOOK_TOKEN": TOKEN, "HEADWATER_COMMIT_INGEST_POLL_S": "20"}
    plan = Plan(data=folder / "data", repositories={live.name: str(live.path)}, settings=settings)
    with System(plan, told) as system, Watch(f"127.0.0.1:{system.ports['query!']}", live.name) as watch:
        load = Load(system, live, watch)
        if watch.wait_for(first, 120) is None:
            raise SystemExit(f"the first index did not end in time: see {folder}")
        load.run(STEADY, 5)  # warm
        told("steady load")
        steady = load.run(STEADY, seconds)
        told("burst")
        burst = load.run(BURST, max(5.0, seconds / 4))
        told("rename")
        renamed = load.rename()
        repositories, during, bulk = [live], [], {}
        if bulk_too:
            told("bulk load")
            other, during, bulk = bulk_load(load, folder)
            repositories.append(other)
        traced = trace(system.connection, live.name)
        lost, ghosts = against_git(system, repositories)
        return {
            "steady": freshness(steady, live, watch, traced),
            "burst": freshness(burst, live, watch, traced),
            "rename_400": {"seconds": renamed},
            "during_bulk": freshness(during, live, watch, traced),
            "bulk": bulk,
            "lost": lost,
            "ghosts": ghosts,
            "stage_events_per_s": stage_rates(system),
            "setbacks": setbacks(system),
            "memory_mb": memory_mb(system),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of steady load; the burst takes a quarter of it")
    parser.add_argument("--no-bulk", action="store_true", help="leave out the bulk load")
    parser.add_argument("--keep", action="store_true", help="keep the data and the logs")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="headwater-load-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    try:
        figures = measure(arguments.seconds, folder, _tell, not arguments.no_bulk)
    finally:
        if arguments.keep:
            _tell(f"kept in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if arguments.json:
        print(json.dumps(figures))
    else:
        _print(figures)
    return 1 if figures["lost"] or figures["ghosts"] else 0


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _print(figures: dict[str, Any]) -> None:
    for name in ("steady", "burst", "during_bulk"):
        row = figures[name]
        print(f"{name:12} p50 {row.get('p50_s')} s, p95 {row.get('p95_s')} s, p99 {row.get('p99_s')} s", end="")
        print(f" of {row['pushes']} pushes ({row['unseen']} never seen)")
        for stage, taken in row["stages"].items():
            print(f"{'':12} {stage:14} {taken} s")
    print(f"rename of {RENAMED} files: {figures['rename_400']['seconds']} s")
    print(f"bulk load: {figures['bulk']}")
    print(f"lost {figures['lost']}, ghosts {figures['ghosts']}")
    for title in ("stage_events_per_s", "setbacks", "memory_mb"):
        print(f"{title}: {figures[title]}")


if __name__ == "__main__":
    sys.exit(main())
