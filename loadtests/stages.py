"""Each stage of the streaming system alone: a bulk load waits in Kafka before it, nothing else runs.

`python loadtests/stages.py [--files N] [--set NAME=VALUE …] [--json]` starts the components, takes in one
repository, and lets the stages work one after the other, each until it has done all that the one before it sent.
"""

import argparse
import shutil
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec
from load.figures import cpu_s, scraped
from load.repository import LoadRepository, call_hook, source

from headwater.deployment.parts.editions import open_catalog
from headwater.deployment.parts.pipeline import pipeline_version
from headwater.deployment.system import Plan, System
from headwater.events import Lane
from headwater.stack import Running
from headwater.stores.catalog import Repository
from headwater.topology import STAGES, TOPICS

TOKEN = "load"
PROCESSES_MEASURED = ("merkle-differ-bulk", "ast-chunker-bulk", "embedder", "vector-sink", "defref-sink", "reconciler")
FUNCTIONS = 6  # a file's
SAMPLE_S = 0.1
PATIENCE_S = 120.0
PRODUCED = "headwater_stage_produced_total"


class Rate(msgspec.Struct):
    """What one stage did; seconds from the first events done to the last."""

    events: int
    seconds: float
    events_per_s: float
    cpu_ms_per_event: float


def measure(files: int, folder: Path, settings: dict[str, str]) -> dict[str, Rate]:
    bulk = LoadRepository(folder / "bulk.git", "bulk")
    bulk.commit({f"part_{n // 100:03}/case_{n}.py": source(n, functions=FUNCTIONS) for n in range(files)})
    plan = Plan(data=folder / "data", settings={"HEADWATER_COMMIT_INGEST_HOOK_TOKEN": TOKEN, **settings})
    with System(plan, _tell) as system:
        environ = system.environ()
        with closing(open_catalog(environ, pipeline_version(environ))) as catalog:
            catalog.add_repository(Repository(bulk.name, str(bulk.path)))
        for name in system.services.keys() - {
            "commit-ingest",
            "merkle-differ",
        }:  # which hands large pushes to the bulk lane
            system.supervisor.pause(name)
            system.services[name].stop()
        call_hook(f"127.0.0.1:{system.ports['webhooks!']}", TOKEN, bulk)
        waiting: dict[str, int] = {}
        return {name: _alone(name, system.services[name], waiting, files) for name in PROCESSES_MEASURED}


def _alone(name: str, service: Running, waiting: dict[str, int], files: int) -> Rate:
    """Until it has handled all that waits for it; what it produced then waits for others. The differ counts files."""
    _tell(name)
    spec = next(stage for stage in STAGES if stage.name == name.removesuffix("-bulk"))
    taken = sum(waiting.get(TOPICS[topic].lane(Lane.BULK), 0) for topic in spec.consumes)
    target = files if spec.name == "merkle-differ" else taken
    service.respawn()
    begun = time.monotonic()
    samples: list[tuple[float, int, float]] = []  # when, events done, CPU seconds
    while not samples or samples[-1][1] < target:
        time.sleep(SAMPLE_S)
        now, done = time.monotonic(), _done(service, spec.name)
        if done and (not samples or done != samples[-1][1]):
            samples.append((now, done, cpu_s(service)))
        if now - (samples[-1][0] if samples else begun) > PATIENCE_S:
            log = service.command.log.read_text("utf-8", "replace")
            raise SystemExit(f"{name} has done {samples[-1:]} of {target} and nothing more: {log[-2000:]}")
    for key, value in scraped(service, "topic").items():
        if key.startswith(PRODUCED + " "):
            topic = key.removeprefix(PRODUCED + " ")
            waiting[topic] = waiting.get(topic, 0) + int(value)
    service.stop()
    (first_at, first, first_cpu), (last_at, last, last_cpu) = samples[0], samples[-1]
    seconds, events = last_at - first_at, last - first
    rate = events / seconds if seconds else float("nan")
    return Rate(last, round(seconds, 1), round(rate, 1), round((last_cpu - first_cpu) / max(events, 1) * 1000, 2))


def _done(service: Running, stage: str) -> int:
    counter = PRODUCED if stage == "merkle-differ" else "headwater_stage_events_total"
    return int(scraped(service).get(counter, 0)) if service.healthy() else 0


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=4000)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the services")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="headwater-stages-"))
    folder.chmod(0o755)  # PostgreSQL runs as a user of its own
    try:
        rates = measure(arguments.files, folder, dict(pair.split("=", 1) for pair in arguments.set))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if arguments.json:
        print(msgspec.json.encode(rates).decode())
        return 0
    print("| stage | events | s | events/s | CPU ms an event |\n| --- | --- | --- | --- | --- |")
    for name, rate in rates.items():
        print(f"| {name} | {rate.events:,} | {rate.seconds} | {rate.events_per_s:,} | {rate.cpu_ms_per_event} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
