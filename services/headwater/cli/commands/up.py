"""`headwater up`: the whole streaming system on this machine, until Ctrl-C or SIGTERM."""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say, warn
from headwater.commit_ingest.process import repository_name
from headwater.deployment.system import Plan, System, describe
from headwater.domain.repository_name import is_url
from headwater.embedded.home import Home
from headwater.stores.git_store import GitRepository


def run(arguments: argparse.Namespace) -> int:
    """Prints {"query", "webhooks", "components", "services"} once everything is ready."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_signal: stop.set())
    plan = Plan(
        data=Path(arguments.data) if arguments.data else _default_data(),
        repositories=_named(arguments.repo),
        settings={"HEADWATER_COMMIT_INGEST_REFS": ",".join(arguments.ref)} if arguments.ref else {},
        ports={"query": arguments.query_port, "webhooks": arguments.webhook_port},
    )
    with System(plan, _tell) as system:
        if arguments.json:
            print_json(describe(system))
        else:
            _print(system)
        stop.wait()
        _tell("stopping")
    return ExitStatus.OK


def _default_data() -> Path:
    """PostgreSQL refuses root and runs as a user of its own, who can't look into root's home."""
    return Path("/var/lib/headwater") if os.geteuid() == 0 else Home.default().root / "system"


def _named(locations: list[str]) -> dict[str, str]:
    """Each location under a unique name, in absolute form."""
    named: dict[str, str] = {}
    for location in locations:
        if "," in location:
            raise CommandError(f"{location}: a comma can't be part of a location here", ExitStatus.USAGE, "LOCATION")
        if is_url(location):
            folder, origin, place = "repository", location, location
        else:
            repository = GitRepository(location)
            place, origin = str(repository.path), repository.origin() or ""
            folder = repository.path.name.removesuffix(".git")
        named[repository_name(folder, origin, named, place)] = place
    return named


def _print(system: System) -> None:
    say(f"questions     gRPC on 127.0.0.1:{system.ports['query!']}")
    say(f"pushes        http://127.0.0.1:{system.ports['webhooks!']}/hook and /webhook/{{github,gitlab,gitea}}")
    for name, running in system.components.items():
        ports = ", ".join(f"{port} {running.address(port)}" for port in running.ports)
        say(f"{name:13} pid {running.pid}, {ports}")
    for name, running in system.services.items():
        say(f"{name:13} pid {running.pid}, http://{running.address('health')}/metrics")
    sys.stdout.flush()


def _tell(line: str) -> None:
    warn(f"headwater: {line}")
