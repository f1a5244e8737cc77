"""Runs a command as a user would and measures the whole process tree: wall, CPU and peak memory."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

HEADWATER = Path(sys.executable).with_name("headwater")


@dataclass(frozen=True)
class Run:
    """`peak_mb` adds up the proportional share (PSS) of every process of the tree at its largest moment."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: bytes


def run(command: list[str], env: dict[str, str] | None = None) -> Run:
    """Run to the end. Raises CalledProcessError."""
    before = os.times()
    started = time.monotonic()
    with subprocess.Popen(command, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE) as process:
        peak = _Peak(process.pid)
        peak.start()
        output = process.stdout.read() if process.stdout else b""
        status = process.wait()
    wall = time.monotonic() - started
    peak.done.set()
    after = os.times()
    if status:
        raise subprocess.CalledProcessError(status, command, output)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(wall, cpu, peak.kilobytes / 1024, output)


class _Peak(threading.Thread):
    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.kilobytes = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.1):
            self.kilobytes = max(self.kilobytes, sum(map(_pss, _tree(self._pid))))


def _tree(pid: int) -> list[int]:
    pids = [pid]
    for one in pids:  # grows while it is read
        try:
            children = Path(f"/proc/{one}/task/{one}/children").read_text().split()
        except OSError:
            continue
        pids.extend(map(int, children))
    return pids


def _pss(pid: int) -> int:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))


def table(rows: list[tuple[str, ...]]) -> str:
    """Columns aligned; the first row is the heading."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
