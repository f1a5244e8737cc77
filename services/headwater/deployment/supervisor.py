"""Keeps processes running: one that ends is started again, after ever longer pauses while it keeps ending."""

from collections.abc import Callable, Iterable

import msgspec

from headwater.stack.process import Running
from headwater.streaming.back_off import BackOff

SETTLED_S = 60.0  # running for so long, a process is well again


class _State(msgspec.Struct):
    started: float
    failures: int = 0
    due: float | None = None


class Supervisor:
    """`tick` is called again and again; it never waits."""

    def __init__(
        self,
        processes: Iterable[Running],
        told: Callable[[str], None],
        back_off: BackOff = BackOff(first_s=0.2, longest_s=15.0),  # noqa: B008 frozen
    ) -> None:
        self._processes, self._told, self._back_off = list(processes), told, back_off
        self._states: dict[str, _State] = {}
        self._paused: set[str] = set()

    def pause(self, name: str) -> None:
        """Leave this one stopped until `resume`."""
        self._paused.add(name)

    def resume(self, name: str) -> None:
        self._paused.discard(name)

    def add(self, processes: Iterable[Running]) -> None:
        self._processes = [*self._processes, *processes]

    def remove(self, processes: Iterable[Running]) -> None:
        """They may end now."""
        gone = list(processes)
        self._processes = [process for process in self._processes if process not in gone]

    def tick(self, now: float) -> None:
        """`now` is monotonic seconds."""
        for process in list(self._processes):
            state = self._states.setdefault(process.name, _State(now))
            if process.name in self._paused:
                continue
            if process.alive():
                if now - state.started > SETTLED_S:
                    state.failures = 0
            elif state.due is None:
                state.failures += 1
                state.due = now + self._back_off.pause_s(state.failures)
                self._told(f"{process.name} ended with {process.status}: started again in {state.due - now:.1f} s")
            elif now >= state.due:
                process.respawn()
                self._states[process.name] = _State(now, state.failures)
