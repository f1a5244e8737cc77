"""Runs the stages in one process: bounded queues, downstream first, dead letters kept in memory."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

import msgspec

from headwater.events import Event
from headwater.streaming.errors import InvalidEventError, NotNowError, RetryableError
from headwater.streaming.stage import Outgoing, Stage
from headwater.topology import STAGES, TOPICS, StageSpec

DEFAULT_BATCH = 64


class DeadLetter(msgspec.Struct, frozen=True):
    """An event that can never be handled, and why."""

    stage: str
    event: Event
    reason: str


class PipelineStalledError(Exception):
    """A stage still can't go on after all its attempts; what is durable stays, the next run continues."""


class _Lane:
    """A stage with its queue and, for a stage that runs in an executor, its batches under way."""

    def __init__(self, spec: StageSpec, stage: Stage[Any], batch: int, executor: Executor | None, ahead: int) -> None:
        self.spec, self.stage, self.batch = spec, stage, batch
        self.executor, self.ahead = executor, ahead
        self.queue: deque[Event] = deque()
        self.under_way: deque[tuple[list[Event], Future[list[Outgoing]]]] = deque()
        self.active = False

    def take(self) -> list[Event]:
        return [self.queue.popleft() for _ in range(min(self.batch, len(self.queue)))]


class InProcessRunner:
    """The runner port for one process. Every queue is bounded: a full one is worked off before its producer goes on."""

    def __init__(
        self,
        stages: Mapping[str, Stage[Any]],
        batches: Mapping[str, int] | None = None,
        executors: Mapping[str, tuple[Executor, int]] | None = None,
        attempts: int = 5,
        pause: Callable[[float], None] | None = None,
        observer: Callable[[str, int], None] | None = None,
    ) -> None:
        """`executors` names stages that are pure and may run ahead: (executor, batches under way at once).

        `pause(seconds)` is called before an attempt is repeated; without it repeats are immediate.
        `observer(stage, events)` is told of every batch that a stage has finished.
        """
        self._attempts, self._pause = attempts, pause or (lambda _seconds: None)
        self._observer = observer or (lambda _stage, _events: None)
        self._lanes = [
            _Lane(
                spec,
                stages[spec.name],
                (batches or {}).get(spec.name, DEFAULT_BATCH),
                *(executors or {}).get(spec.name, (None, 0)),
            )
            for spec in STAGES
            if spec.name in stages
        ]
        self._consumers = {t: [lane for lane in self._lanes if t in lane.spec.consumes] for t in TOPICS}
        self.dead_letters: list[DeadLetter] = []

    def submit(self, topic: str, events: Iterable[Event]) -> None:
        """Append events to a topic; nothing runs until `drain`."""
        for event in events:
            for lane in self._consumers[topic]:
                lane.queue.append(event)

    def drain(self) -> None:
        """Run until every queue is empty. Raises PipelineStalledError, or whatever crashed a stage."""
        while lane := next((x for x in reversed(self._lanes) if x.queue or x.under_way), None):
            self._work_off(lane, keep=0)

    def _work_off(self, lane: _Lane, keep: int) -> None:
        if lane.active:  # a cycle (repair) or a generator still being read: its own loop will come to it
            return
        lane.active = True
        try:
            while len(lane.queue) > keep:
                self._run(lane, lane.take())
            while lane.under_way and (keep == 0 or len(lane.under_way) > lane.ahead):
                self._gather(lane)
        finally:
            lane.active = False

    def _run(self, lane: _Lane, batch: list[Event]) -> None:
        if lane.executor is None:
            self._emit(self._attempt(lane, batch, partial(lane.stage.handle, batch)))
            return
        while len(lane.under_way) >= lane.ahead:
            self._gather(lane)
        lane.under_way.append((batch, lane.executor.submit(_handled, lane.stage, batch)))

    def _gather(self, lane: _Lane) -> None:
        batch, future = lane.under_way.popleft()
        self._emit(self._attempt(lane, batch, future.result))

    def _attempt(
        self, lane: _Lane, batch: Sequence[Event], work: Callable[[], Iterable[Outgoing]]
    ) -> Iterable[Outgoing]:
        for attempt in range(self._attempts):
            try:
                yield from work()
            except InvalidEventError as error:
                yield from self._singly(lane, batch, str(error))
            except (RetryableError, NotNowError) as error:
                if attempt + 1 == self._attempts:
                    raise PipelineStalledError(f"{lane.spec.name}: {error}") from error
                self._pause(0.1 * 2**attempt)
                work = partial(lane.stage.handle, batch)
                continue
            else:
                self._observer(lane.spec.name, len(batch))
            return

    def _singly(self, lane: _Lane, batch: Sequence[Event], reason: str) -> Iterable[Outgoing]:
        if len(batch) == 1:
            self.dead_letters.append(DeadLetter(lane.spec.name, batch[0], reason))
            return
        for event in batch:
            yield from self._attempt(lane, [event], partial(lane.stage.handle, [event]))

    def _emit(self, messages: Iterable[Outgoing]) -> None:
        for message in messages:
            for lane in self._consumers[message.topic]:
                lane.queue.append(message.event)
                if len(lane.queue) >= lane.batch:
                    self._work_off(lane, keep=lane.batch - 1)


def _handled(stage: Stage[Any], batch: Sequence[Event]) -> list[Outgoing]:
    return list(stage.handle(batch))
