"""Which processes run while the row changes."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.deployment.edition_processes import EditionProcesses, edition_environ
from headwater.deployment.supervisor import Supervisor
from headwater.domain import edition as steps
from headwater.domain.edition import Change, Edition, Editions
from headwater.domain.version import PipelineVersion
from headwater.stack.process import Command, Running
from headwater.stores.catalog import CatalogUnavailableError

OLD, NEW = PipelineVersion("old", 8), PipelineVersion("new", 16)


class Machine:
    """Real processes that only sleep."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.editions, self.away = folder, Editions(), False
        self.supervisor = Supervisor((), lambda _line: None)
        self.live: list[int] = []
        self.running = {1: [self._sleeper("stage")]}
        self.supervisor.add(self.running[1])
        self.processes = EditionProcesses(
            self._read, (1, self.running[1]), self._start, lambda e: self.live.append(e.number), self.supervisor
        )

    def step(self, *changes: Change) -> dict[int, bool]:
        """Which editions' processes are alive after a look."""
        for change in changes:
            self.editions = change(self.editions)
        self.processes.look()
        return {number: made[0].alive() for number, made in self.running.items()}

    def _read(self) -> Editions:
        if self.away:
            raise CatalogUnavailableError("away")
        return self.editions

    def _start(self, edition: Edition) -> list[Running]:
        self.running[edition.number] = [self._sleeper(f"stage-{edition.number}")]
        return self.running[edition.number]

    def _sleeper(self, name: str) -> Running:
        argv = (sys.executable, "-c", "import time; time.sleep(600)")
        return Running(Command(name, argv, self._folder / f"{name}.log"), {}, lambda: True)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.processes.stop()
    assert not any(process.alive() for running in made.running.values() for process in running)


def test_processes_come_and_go_with_the_editions_that_take_writes(machine: Machine) -> None:
    assert machine.step() == {1: True}
    assert machine.step(steps.adopt(OLD, {}, 1.0)) == {1: True}
    assert machine.step(steps.start(NEW, {}, 2.0)) == {1: True}
    assert machine.step(steps.laid_out(2)) == {1: True, 2: True}
    assert machine.step(steps.cut_over("x", 3.0)) == {1: True, 2: True}
    assert machine.live == [2]
    assert machine.step(steps.release(4.0)) == {1: False, 2: True}
    machine.supervisor.tick(100.0)
    machine.supervisor.tick(200.0)
    assert not machine.running[1][0].alive()  # it isn't started again


def test_a_database_that_is_away_changes_nothing(machine: Machine) -> None:
    machine.step(steps.adopt(OLD, {}, 1.0), steps.start(NEW, {}, 2.0), steps.laid_out(2))
    machine.away = True
    assert machine.step(steps.release(3.0)) == {1: True, 2: True}
    machine.away = False
    assert machine.step() == {1: True, 2: False}


def test_a_service_is_told_its_edition_and_the_servers_names_of_its_model() -> None:
    made = steps.start(NEW, {"chunk_model": "gte_chunk"}, 2.0)(steps.adopt(OLD, {}, 1.0)(Editions())).rows[1]
    assert edition_environ(None) == {}
    assert edition_environ(made) == {
        "HEADWATER_PIPELINE_INDEX": "2",
        "HEADWATER_PIPELINE_MODEL": "new",
        "HEADWATER_PIPELINE_DIMENSIONS": "16",
        "HEADWATER_TRITON_CHUNK_MODEL": "gte_chunk",
    }
