"""One child process of the stack: started with a log file, waited for until healthy, stopped by its own pid."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from headwater.runtime.child_process import Child, ProgramMissingError, inherited, run
from headwater.runtime.private_files import open_private

HEALTH_WAIT_S = 180.0
TERM_WAIT_S = 15.0


class StartError(Exception):
    """A component ended or stayed unhealthy; the message holds the end of its log."""


class Command(msgspec.Struct, frozen=True):
    """How to start one process; the same again after a stop or a crash."""

    name: str
    argv: tuple[str, ...]
    log: Path
    env: dict[str, str] | None = None
    cwd: Path | None = None
    user: str | None = None
    stop_signal: int = signal.SIGTERM


class Running:
    """A handle on one started component. `ports` names its listeners on 127.0.0.1."""

    def __init__(self, command: Command, ports: Mapping[str, int], healthy: Callable[[], bool]) -> None:
        self.command, self.ports, self._healthy = command, dict(ports), healthy
        self._process = _spawn(command)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def name(self) -> str:
        return self.command.name

    def address(self, port: str) -> str:
        return f"127.0.0.1:{self.ports[port]}"

    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def status(self) -> int | None:
        """How the process ended; None while it runs."""
        return self._process.poll()

    def healthy(self) -> bool:
        return self.alive() and self._healthy()

    def respawn(self) -> None:
        """Start the same command again, without waiting for it."""
        self._process = _spawn(self.command)

    def wait_healthy(self, wait_s: float = HEALTH_WAIT_S) -> None:
        """Raises StartError when the process ends or isn't healthy in time."""
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline:
            if not self.alive():
                raise StartError(f"{self.name} ended with {self._process.returncode}: {_tail(self.command.log)}")
            if self._healthy():
                return
            time.sleep(0.2)
        self.kill()
        raise StartError(f"{self.name} not healthy after {wait_s:.0f} s: {_tail(self.command.log)}")

    def ask_to_stop(self) -> None:
        """By the component's own signal (SIGTERM); nothing is waited for."""
        if self.alive():
            self._process.send_signal(self.command.stop_signal)

    def stop(self, wait_s: float = TERM_WAIT_S) -> None:
        """Asked to, then SIGKILL when it doesn't end in time."""
        self.ask_to_stop()
        try:
            self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        """Start the same command again on the same ports and data, and wait until healthy."""
        self.stop()
        self._process = _spawn(self.command)
        self.wait_healthy()


def stop_together(processes: Iterable[Running]) -> None:
    """All are asked before one is waited for."""
    asked = list(processes)
    for process in asked:
        process.ask_to_stop()
    for process in asked:
        process.stop()


def _spawn(command: Command) -> Child:
    with open(open_private(command.log, os.O_WRONLY | os.O_APPEND), "ab") as log:
        return Child(
            command.argv,
            environ=command.env,
            cwd=command.cwd or "/",
            stdout=log,
            stderr=subprocess.STDOUT,
            user=command.user,
        )


def _tail(log: Path, size: int = 1500) -> str:
    return log.read_bytes()[-size:].decode("utf-8", "replace").strip() if log.exists() else ""


def free_ports(names: Sequence[str], given: Mapping[str, int] | None = None) -> dict[str, int]:
    """A free loopback port for each name, all held at once so that they differ; `given` ones are kept."""
    ports = dict(given or {})
    held = []
    for name in names:
        if name in ports:
            continue
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        held.append(listener)
        ports[name] = listener.getsockname()[1]
    for listener in held:
        listener.close()
    return ports


INSTALLING = ("*_PROXY", "*_proxy", "SSL_*", "REQUESTS_CA_BUNDLE", "PIP_*", "UV_*", "MAVEN_*", "JAVA_HOME")


def run_step(
    argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: Path | None = None, user: str | None = None
) -> str:
    """Run an installation step to its end and give its output. Raises StartError with the output when it fails."""
    try:
        done = run(argv, environ={**inherited(INSTALLING), **(env or {})}, cwd=cwd or "/", user=user)
    except (OSError, ProgramMissingError) as error:
        raise StartError(f"{argv[0]} can't be started: {error}") from error
    if done.status:
        said = (done.said or done.out).decode("utf-8", "replace")
        raise StartError(f"{' '.join(argv)} failed: {said[-1500:].strip()}")
    return done.out.decode("utf-8", "replace")
