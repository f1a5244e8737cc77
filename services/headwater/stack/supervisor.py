"""Keeps the services' processes running: crash-only stages end at every fault and are started again from here."""

import threading
import time
from collections.abc import Callable, Sequence

from headwater.stack.process import Command, Running

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
STEADY_S = 60.0  # a process that ran this long starts again without a pause


class _Service:
    """One command and how it has fared."""

    def __init__(self, command: Command) -> None:
        self.command, self.restarts, self.failures = command, 0, 0
        self.running: Running | None = None
        self.started, self.due = 0.0, 0.0

    def start(self, now: float) -> None:
        self.running, self.started = Running(self.command, {}, lambda: True), now

    def ended(self, now: float) -> None:
        """Decide when to start it again."""
        self.running = None
        self.failures = 0 if now - self.started >= STEADY_S else self.failures + 1
        self.restarts += 1
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self.failures - 1)) if self.failures else 0.0
        self.due = now + pause


class Supervisor:
    """Starts commands in order, starts again whatever ends, and stops them in the opposite order."""

    def __init__(self, commands: Sequence[Command], report: Callable[[str], None] = lambda _line: None) -> None:
        self._services = [_Service(command) for command in commands]
        self._report = report

    def run(self, stop: threading.Event, tick_s: float = 0.2) -> None:
        """Until `stop` is set."""
        try:
            while not stop.wait(tick_s):
                self.look(time.monotonic())
        finally:
            self.stop()

    def look(self, now: float) -> None:
        """One round: notice what ended, start what is due."""
        for service in self._services:
            if service.running is not None and not service.running.alive():
                service.ended(now)
                self._report(f"{service.command.name} ended; see {service.command.log}; starting it again")
            if service.running is None and now >= service.due:
                service.start(now)

    def stop(self) -> None:
        for service in reversed(self._services):
            if service.running is not None:
                service.running.stop()

    def pids(self) -> dict[str, int]:
        """Of those that run."""
        return {s.command.name: s.running.pid for s in self._services if s.running is not None}

    def restarts(self) -> dict[str, int]:
        return {service.command.name: service.restarts for service in self._services}
