"""The whole system on one machine: the real components, the topics, and a process for each service."""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from headwater.deployment.edition_processes import EditionProcesses, edition_environ
from headwater.deployment.parts.editions import open_registry
from headwater.deployment.periodic import Periodic
from headwater.deployment.services import SERVICES
from headwater.deployment.supervisor import Supervisor
from headwater.domain.edition import Edition
from headwater.runtime.child_process import inherited, python_command
from headwater.runtime.installed import stack_dir
from headwater.settings import prefix
from headwater.stack import COMPONENTS, Running
from headwater.stack.http_probe import answers
from headwater.stack.process import Command, StartError, free_ports, stop_together
from headwater.stores.git_program import GIT_ENVIRONMENT
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_topics import create_topics
from headwater.streaming.topic_settings import topic_settings

# Processes of their own for the bulk lane where it would hold the live one up: to the differ a generation of thousands
# of files is one piece of work, and Faust delivers nothing to either lane while 4,096 events of one are waiting.
PROCESSES: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in SERVICES},
    "merkle-differ": ("merkle-differ", {"LANES": "live"}),
    "merkle-differ-bulk": ("merkle-differ", {"LANES": "bulk", "INSTANCE": "bulk"}),
    "ast-chunker": ("ast-chunker", {"LANES": "live"}),
    "ast-chunker-bulk": ("ast-chunker", {"LANES": "bulk", "INSTANCE": "bulk"}),
}
SHARED = ("commit-ingest", "query")  # by all editions of the index; every other process is of one
READY_S = 180.0
TICK_S = 0.3
EDITIONS_S = 2.0
LISTENERS = ("query!", "webhooks!")  # beside each service's health port, which goes by the service's name


# Beside what every service reads, these are told to one alone: they hold its credentials.
_ALONE = {"access": "query", "hydration": "query", "structural": "query", "caller": "reconciler"} | {
    n: n for n in SERVICES
}
_TOLD = (*GIT_ENVIRONMENT, "HEADWATER_*", "OTEL_*")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to run. `settings` are environment variables for every service, over those made here."""

    data: Path  # a folder that PostgreSQL's own user may reach, too
    repositories: dict[str, str] = {}  # name to location
    settings: dict[str, str] = {}
    ports: dict[str, int] = {}  # of "query" and "webhooks"; free ones where none is given


class System:
    """Started, supervised and stopped as a context. Every process has its log beside its data."""

    def __init__(self, plan: Plan, told: Callable[[str], None] = lambda _line: None) -> None:
        self._plan, self._told = plan, told
        self._opened = ExitStack()
        self.components: dict[str, Running] = {}
        self.services: dict[str, Running] = {}
        self.ports: dict[str, int] = {}
        self.supervisor = Supervisor((), told)
        self._edition: Edition | None = None

    def __enter__(self) -> Self:
        """Raises MissingComponentError, StartError."""
        try:
            self._start()
        except BaseException:
            self._opened.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    @property
    def connection(self) -> Connection:
        return Connection(self.components["kafka"].address("broker"))

    def environ(self) -> dict[str, str]:
        """What the services are configured by, but for what differs between two processes of one."""
        return self._of(self._edition)

    def _of(self, edition: Edition | None) -> dict[str, str]:
        return {**self._made(), **self._plan.settings, **edition_environ(edition)}

    def wait_ready(self, seconds: float = READY_S, names: Iterable[str] = PROCESSES) -> None:
        """Raises StartError with what isn't ready."""
        deadline = time.monotonic() + seconds
        while waiting := [name for name in names if not self.services[name].healthy()]:
            if time.monotonic() > deadline:
                raise StartError(f"not ready after {seconds:.0f} s: {', '.join(waiting)}; see {self._plan.data}/*.log")
            time.sleep(0.2)

    def _start(self) -> None:
        self._plan.data.mkdir(0o711, parents=True, exist_ok=True)  # PostgreSQL's own user passes through
        self._opened.callback(lambda: stop_together(self.components.values()))
        for name, component in COMPONENTS.items():
            self._told(f"starting {name}")
            self.components[name] = component.start(stack_dir(), self._plan.data / name)
        create_topics(self.connection, topic_settings())
        given = {f"{name}!": port for name, port in self._plan.ports.items() if port}
        self.ports = free_ports((*PROCESSES, *LISTENERS), given)
        self._opened.callback(lambda: stop_together(self.services.values()))
        registry = self._opened.enter_context(closing(open_registry(self.environ())))
        self._edition = registry.read().live
        for name in PROCESSES:
            self.services[name] = self._service(name, name, self.ports[name], self._edition)
        self.supervisor = Supervisor([*self.components.values(), *self.services.values()], self._told)
        self._opened.enter_context(Periodic("supervisor", TICK_S, lambda: self.supervisor.tick(time.monotonic())))
        self._told("waiting for the services")
        self.wait_ready()
        first = self._edition.number if self._edition is not None else 1
        stages = [self.services[name] for name in PROCESSES if name not in SHARED]
        editions = EditionProcesses(registry.read, (first, stages), self._stages_of, self._readdress, self.supervisor)
        self._opened.callback(editions.stop)
        self._opened.enter_context(Periodic("editions", EDITIONS_S, editions.look))

    def _stages_of(self, edition: Edition) -> list[Running]:
        """Started, not waited for."""
        self._told(f"starting the stages of {edition}")
        names = {f"{name}-{edition.number}": name for name in PROCESSES if name not in SHARED}
        ports = free_ports(list(names))
        made = {own: self._service(own, name, ports[own], edition) for own, name in names.items()}
        self.services |= made
        return list(made.values())

    def _readdress(self, live: Edition) -> None:
        """What all editions share serves the live one from its next start on; meanwhile it follows the row."""
        self._edition = live
        for name in SHARED:
            self.services[name].command = self._command(name, name, self.ports[name], live)

    def _service(self, name: str, process: str, health: int, edition: Edition | None) -> Running:
        command = self._command(name, process, health, edition)
        return Running(command, {"health": health}, lambda: answers(health, "/readyz"))

    def _command(self, name: str, process: str, health: int, edition: Edition | None) -> Command:
        service, own = PROCESSES[process]
        own = {"HEALTH_PORT": str(health), **own}
        environ = {
            **inherited(_TOLD),
            **self._of(edition),
            **{f"{prefix(service)}{field}": value for field, value in own.items()},
        }
        argv = python_command("-m", "headwater.cli.main", "service", service)
        return Command(name, argv, self._plan.data / f"{name}.log", env=_of_service(service, environ))

    def _made(self) -> dict[str, str]:
        kafka, milvus, triton, postgres = (self.components[n] for n in ("kafka", "milvus", "triton", "postgres"))
        shared = {
            "HEADWATER_CATALOG_URL": f"postgresql://app@{postgres.address('sql')}/postgres",
            "HEADWATER_MILVUS_ADDRESS": f"http://{milvus.address('grpc')}",
            "HEADWATER_MILVUS_VECTOR": "float",  # the server of the wheel knows no int8
            "HEADWATER_TRITON_ADDRESS": triton.address("grpc"),
            "HEADWATER_TOPICS_BROKERS": kafka.address("broker"),
            "HEADWATER_TOPICS_REPLICATION": "1",
            "HEADWATER_GIT_MIRRORS": str(self._plan.data / "mirrors"),
            "HEADWATER_GIT_REPOSITORIES": ",".join(f"{n}={place}" for n, place in self._plan.repositories.items()),
            "HEADWATER_COMMIT_INGEST_PORT": str(self.ports["webhooks!"]),
            "HEADWATER_QUERY_ADDRESS": f"127.0.0.1:{self.ports['query!']}",
            "HEADWATER_RECONCILER_QUERY": f"127.0.0.1:{self.ports['query!']}",
        }
        for name in SERVICES:
            shared[f"{prefix(name)}BROKERS"] = kafka.address("broker")
        return shared | self._instances()

    def _instances(self) -> dict[str, str]:
        stages = [name for name in SERVICES if name not in ("commit-ingest", "query")]
        own = {f"{prefix(name)}INSTANCE": "1" for name in stages}
        return own | {f"{prefix('ast-chunker')}DATA": str(self._plan.data / "faust")}


def _of_service(service: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Without what only other services need to know."""
    others = tuple(prefix(part) for part, reader in _ALONE.items() if reader != service)
    return {name: value for name, value in environ.items() if not name.startswith(others)}


def describe(system: System) -> Mapping[str, object]:
    """What runs where, as `headwater up --json` prints it."""
    return {
        "query": f"127.0.0.1:{system.ports['query!']}",
        "webhooks": f"http://127.0.0.1:{system.ports['webhooks!']}",
        "components": {
            name: {"pid": running.pid, **{port: running.address(port) for port in running.ports}}
            for name, running in system.components.items()
        },
        "services": {
            name: {"pid": running.pid, "health": f"http://{running.address('health')}"}
            for name, running in system.services.items()
        },
    }
