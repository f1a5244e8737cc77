"""A private PostgreSQL cluster of an unprivileged user from the Debian package, with pg_trgm at hand."""

import os
import pwd
import shutil
import signal
from pathlib import Path

from headwater.runtime.child_process import program, run
from headwater.stack.component import MissingComponentError
from headwater.stack.process import Command, Running, StartError, free_ports, run_step

VERSION = "15"
BINARIES = Path(f"/usr/lib/postgresql/{VERSION}/bin")
EXTENSION = Path(f"/usr/share/postgresql/{VERSION}/extension/pg_trgm.control")
USER = "headwater"  # the server refuses to run as root
TUNING = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "work_mem": "32MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
}


class Postgres:
    """Port: `sql`. The superuser is `app`, trusted on loopback."""

    name = "postgres"

    def install(self, root: Path) -> None:
        if self.installed(root):
            return
        hint = f"postgres: install the package `postgresql-{VERSION}` (apt-get install postgresql-{VERSION})"
        if os.geteuid() != 0 or program("apt-get") is None:
            raise MissingComponentError(hint)
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        try:
            run_step(["apt-get", "update", "-q"], env=quiet)
            run_step(["apt-get", "install", "-q", "-y", "--no-install-recommends", f"postgresql-{VERSION}"], env=quiet)
        except StartError as failure:
            raise MissingComponentError(hint) from failure

    def installed(self, root: Path) -> bool:
        return (BINARIES / "postgres").exists() and EXTENSION.exists()

    def start(self, root: Path, data: Path, ports: dict[str, int] | None = None) -> Running:
        if not self.installed(root):
            raise MissingComponentError(f"postgres: not installed; run `make stack` or install postgresql-{VERSION}")
        ports, user = free_ports(("sql",), ports), _server_user()
        data.mkdir(0o700, parents=True, exist_ok=True)
        cluster = data / "cluster"
        if user:
            shutil.chown(data, user)
        if not (cluster / "PG_VERSION").exists():
            _initialise(cluster, user)
        argv = [str(BINARIES / "postgres"), "-D", str(cluster), "-p", str(ports["sql"]), "-k", str(data)]
        for key, value in TUNING.items():
            argv += ["-c", f"{key}={value}"]
        command = Command(
            self.name, tuple(argv), data / "postgres.log", cwd=data, user=user, stop_signal=signal.SIGINT
        )  # SIGTERM would wait for the clients to leave
        running = Running(command, ports, lambda: _ready(ports["sql"]))
        running.wait_healthy()
        return running


def _initialise(cluster: Path, user: str | None) -> None:
    argv = [str(BINARIES / "initdb"), "-D", str(cluster), "-U", "app", "--auth=trust", "-E", "UTF8", "--locale=C"]
    run_step(argv, user=user, cwd=cluster.parent)


def _server_user() -> str | None:
    """The user to run as; made when this process is root, None when it isn't."""
    if os.geteuid() != 0:
        return None
    try:
        pwd.getpwnam(USER)
    except KeyError:
        run_step(["useradd", "-r", "-M", "-s", "/usr/sbin/nologin", USER])
    return USER


def _ready(port: int) -> bool:
    argv = [str(BINARIES / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    return run(argv).status == 0
