"""The Milvus standalone server of the `milvus` wheel, in an environment of its own."""

from pathlib import Path

from headwater.runtime.child_process import inherited
from headwater.runtime.private_files import private_folder
from headwater.stack.component import MissingComponentError
from headwater.stack.environment import environment_python, install_environment
from headwater.stack.http_probe import answers
from headwater.stack.process import Command, Running, free_ports

REQUIREMENTS = ("milvus==2.3.5", "setuptools<81")
LAUNCHER = Path(__file__).parent / "launchers" / "milvus_server.py"
SETTINGS = (
    "common.session.ttl=10",  # back 25 s after a kill instead of 61
    "proxy.timeTickInterval=50",
    "queryNode.segcore.interimIndex.enableIndex=false",  # else fresh rows have a filtered recall of 0.2 to 0.4
)
ETCD = """\
listen-client-urls: http://127.0.0.1:{etcd}
advertise-client-urls: http://127.0.0.1:{etcd}
listen-peer-urls: http://127.0.0.1:{etcd_peer}
initial-advertise-peer-urls: http://127.0.0.1:{etcd_peer}
initial-cluster: default=http://127.0.0.1:{etcd_peer}
"""


class Milvus:
    """Ports: `grpc`, `metrics`, and those of its own etcd."""

    name = "milvus"

    def install(self, root: Path) -> None:
        install_environment(root / self.name / "venv", REQUIREMENTS)

    def installed(self, root: Path) -> bool:
        return (root / self.name / "venv" / "requirements").exists()

    def start(self, root: Path, data: Path, ports: dict[str, int] | None = None) -> Running:
        if not self.installed(root):
            raise MissingComponentError("milvus: not installed; run `make stack`")
        home, ports = root / self.name, free_ports(("grpc", "metrics", "etcd", "etcd_peer"), ports)
        private_folder(data)
        etcd = data / "etcd.yaml"  # else every server's own etcd wants port 2380, and only one can run on a machine
        etcd.write_text(ETCD.format(**ports), "utf-8")
        argv = [str(environment_python(home / "venv")), str(LAUNCHER), str(data), str(home / "binaries")]
        argv += [str(ports["grpc"]), str(ports["metrics"]), *SETTINGS]
        environ = {**inherited(), "ETCD_CONFIG_PATH": str(etcd)}
        command = Command(self.name, tuple(argv), data / "milvus.log", env=environ, cwd=data)
        running = Running(command, ports, lambda: answers(ports["metrics"], "/healthz", b"OK"))
        running.wait_healthy()
        return running
