"""A process that ends is started again, ever more rarely while it keeps ending."""

from typing import cast

from headwater.deployment.supervisor import Supervisor
from headwater.stack.process import Running
from headwater.streaming.back_off import BackOff


class Process:
    """Stands in for a process that the test ends."""

    name, status = "a", 1

    def __init__(self) -> None:
        self.up, self.starts = True, 0

    def alive(self) -> bool:
        return self.up

    def respawn(self) -> None:
        self.up, self.starts = True, self.starts + 1


def supervised() -> tuple[Process, Supervisor, list[str]]:
    process, told = Process(), []
    made = Supervisor([cast(Running, process)], told.append, BackOff(first_s=1.0, longest_s=4.0))
    made.tick(0.0)
    return process, made, told


def test_it_is_started_again_after_a_pause() -> None:
    process, supervisor, told = supervised()
    process.up = False
    supervisor.tick(10.0)
    supervisor.tick(10.9)
    assert process.starts == 0
    supervisor.tick(11.0)
    assert process.starts == 1
    assert told == ["a ended with 1: started again in 1.0 s"]


def test_the_pause_grows_and_shrinks_again_once_it_ran_for_a_while() -> None:
    process, supervisor, told = supervised()
    now = 10.0
    for _ in range(4):
        process.up = False
        supervisor.tick(now)
        now += 5.0
        supervisor.tick(now)
    supervisor.tick(now + 61.0)
    process.up = False
    supervisor.tick(now + 62.0)
    assert [line.split()[-2] for line in told] == ["1.0", "2.0", "4.0", "4.0", "1.0"]


def test_a_paused_one_stays_stopped() -> None:
    process, supervisor, _told = supervised()
    supervisor.pause("a")
    process.up = False
    supervisor.tick(10.0)
    supervisor.tick(100.0)
    assert process.starts == 0
    supervisor.resume("a")
    supervisor.tick(101.0)
    supervisor.tick(102.0)
    assert process.starts == 1
