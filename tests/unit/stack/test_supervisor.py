"""What ends is started again, after growing pauses; stopping ends all."""

import sys
from pathlib import Path

from headwater.stack.process import Command
from headwater.stack.supervisor import Supervisor


def command(tmp_path: Path, name: str, code: str) -> Command:
    return Command(name, (sys.executable, "-c", code), tmp_path / f"{name}.log")


def wait_ended(supervisor: Supervisor, name: str) -> None:
    service = next(s for s in supervisor._services if s.command.name == name)
    assert service.running is not None
    service.running._process.wait(30)


def test_a_process_that_ends_starts_again_after_growing_pauses(tmp_path: Path) -> None:
    lines: list[str] = []
    supervisor = Supervisor(
        [command(tmp_path, "fails", "raise SystemExit(1)"), command(tmp_path, "stays", "import time; time.sleep(60)")],
        lines.append,
    )
    supervisor.look(0.0)
    stays = supervisor.pids()["stays"]
    for ended_at, due_at in ((1.0, 1.5), (2.0, 3.0), (4.0, 6.0)):
        wait_ended(supervisor, "fails")
        supervisor.look(ended_at)
        supervisor.look(due_at - 0.01)
        assert "fails" not in supervisor.pids()
        supervisor.look(due_at)
        assert "fails" in supervisor.pids()
    assert supervisor.restarts() == {"fails": 3, "stays": 0}
    assert supervisor.pids()["stays"] == stays
    assert lines[0].startswith("fails ended; see ")
    supervisor.stop()


def test_a_process_that_ran_steadily_starts_again_at_once(tmp_path: Path) -> None:
    supervisor = Supervisor([command(tmp_path, "steady", "raise SystemExit(1)")])
    supervisor.look(0.0)
    wait_ended(supervisor, "steady")
    supervisor.look(100.0)
    assert "steady" in supervisor.pids()
    supervisor.stop()
