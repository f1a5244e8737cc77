"""Running: health wait, ending by TERM and by KILL, and what a failed start says."""

import sys
from pathlib import Path

import pytest

from headwater.stack.process import Command, Running, StartError, free_ports

STUBBORN = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


def _start(tmp_path: Path, code: str) -> Running:
    command = Command("child", (sys.executable, "-c", code), tmp_path / "child.log")
    return Running(command, {}, lambda: "up" in command.log.read_text("utf-8"))


def test_waits_until_healthy_and_stops_by_term(tmp_path: Path) -> None:
    child = _start(tmp_path, "import time; print('up', flush=True); time.sleep(60)")
    child.wait_healthy()
    assert child.alive()
    child.stop()
    assert not child.alive()


def test_kills_what_ignores_term(tmp_path: Path) -> None:
    child = _start(tmp_path, STUBBORN)
    child.wait_healthy()
    child.stop(wait_s=0.3)
    assert not child.alive()


def test_a_child_that_ends_reports_the_end_of_its_log(tmp_path: Path) -> None:
    child = _start(tmp_path, "print('no such setting'); raise SystemExit(3)")
    with pytest.raises(StartError, match="child ended with 3: no such setting"):
        child.wait_healthy()


def test_restart_runs_the_same_command_again(tmp_path: Path) -> None:
    child = _start(tmp_path, "import time; print('up', flush=True); time.sleep(60)")
    child.wait_healthy()
    first = child.pid
    child.restart()
    assert child.alive()
    assert child.pid != first
    child.stop()


def test_free_ports_differ_and_keep_what_is_given() -> None:
    ports = free_ports(("a", "b", "c"), {"b": 7})
    assert ports["b"] == 7
    assert len(set(ports.values())) == 3
