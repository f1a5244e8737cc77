"""The runner port over Kafka: consume, transform, produce, commit; crash-only, live lane before bulk lane."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import msgspec

from headwater.events import Lane
from headwater.metrics import METRICS, Metrics
from headwater.streaming.back_off import DeadLetterLimit
from headwater.streaming.kafka import AbortedError, Intake, KafkaUnavailableError, Output
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.message import Partition, Received
from headwater.streaming.runner import StuckError
from headwater.streaming.runner_settings import RunnerSettings
from headwater.streaming.settlement import Settlement, settle
from headwater.streaming.stage import Stage
from headwater.streaming.stage_metrics import StageMetrics
from headwater.topology import TOPICS, StageSpec

POLL_S = 0.1
PATIENCE_S = 1.0  # work longer than this is done with the partitions held and polled on
REVOKE_WAIT_S = 120.0
LONGEST_DELIVERY_S = 35.0  # of a transaction: its three requests have 10 s each
ABORTS = 2  # in a row; after a broker's restart a producer was seen to abort for ever, a new process goes on at once


class _Delayed(msgspec.Struct):
    """A partition that rests until `due` because of its event at `offset`."""

    offset: int
    failures: int
    due: float


class _Side:
    """One lane of the stage: its intake and the partitions of it that wait for a retry."""

    def __init__(self, lane: Lane, intake: Intake, most: int) -> None:
        self.lane, self.intake, self.most = lane, intake, most
        self.delayed: dict[Partition, _Delayed] = {}
        self.shown: set[Partition] = set()

    def failures(self) -> dict[Partition, tuple[int, int]]:
        return {p: (d.offset, d.failures) for p, d in self.delayed.items()}


class KafkaRunner:
    """Runs one stage until stopped. Work is done on a thread of its own, so that polling never ceases (F1)."""

    def __init__(
        self,
        connection: Connection,
        spec: StageSpec,
        stage: Stage[Any],
        settings: RunnerSettings = RunnerSettings(),  # noqa: B008 frozen
        metrics: Metrics = METRICS,
    ) -> None:
        self._stage, self._settings = stage, settings
        self._report = StageMetrics(stage.name, metrics)
        self._transactional = settings.transactions and bool(spec.produces)
        self._output = Output(connection, f"{spec.name}-{settings.instance}" if self._transactional else None)
        self._sides = _sides(connection, spec, settings)
        self._limit = DeadLetterLimit(settings.dead_letters, settings.dead_letter_window_s)
        self._under_way: Future[Settlement | None] | None = None
        self._bulk_busy = False
        self._not_now = 0  # batches in a row that the stage did not take
        self._ticked = time.monotonic()
        self._delivering: float | None = None
        self._aborts = 0
        for side in self._sides:
            side.intake.before_revoke = self._finish_under_way

    def run(self, stop: threading.Event) -> None:
        """Returns after `stop` is set and the batch under way is committed. Raises what ends the process."""
        worker = ThreadPoolExecutor(1, "stage")
        try:
            while not stop.is_set():
                self._step(worker)
        finally:
            worker.shutdown(wait=False)
            if not self._stuck():
                self._finish_under_way()
                for side in self._sides:
                    side.intake.close()

    def live(self) -> bool:
        """Whether the loop turns; lag, an empty share and a broker that is down are no reason to restart."""
        return time.monotonic() - self._ticked < 2 * REVOKE_WAIT_S

    def not_ready(self) -> str:
        """Why the stage can't take events now, "" when it can."""
        for side in self._sides:
            if side.intake.trouble:
                return side.intake.trouble
            if not side.intake.joined:
                return f"the {side.lane} consumer has not joined its group yet"
        return self._output.trouble

    def _step(self, worker: ThreadPoolExecutor) -> None:
        self._ticked = time.monotonic()
        self._wake_due()
        side, batch = self._next_batch()
        if not batch:
            return
        self._under_way = worker.submit(self._work, side, batch)
        self._await_work()
        settled, self._under_way = self._under_way.result(), None
        if settled is None:
            self._report.aborted()
            self._aborts += 1
            if self._aborts > ABORTS:
                raise KafkaUnavailableError(f"{self._aborts} transactions in a row were aborted")
            side.intake.rewind({m.partition for m in batch})
            side.intake.release()
            return
        self._aborts = 0
        self._delay(side, settled)
        self._report.settled(side.lane, batch, settled)
        self._show_share(side)

    def _next_batch(self) -> tuple[_Side, list[Received]]:
        """From the live lane if it has anything; the bulk lane is only looked at when it hasn't."""
        for side in self._sides:
            bulk = side.lane is Lane.BULK
            hurried = len(self._sides) > 1 and (bulk or self._bulk_busy)
            wait_s = 0.0 if hurried else POLL_S
            batch = side.intake.take(side.most, wait_s, self._settings.gather_s)
            if bulk:
                self._bulk_busy = bool(batch)
            if batch:
                return side, batch
            side.intake.commit_drained()
            self._show_share(side)
        return self._sides[0], []

    def _work(self, side: _Side, batch: list[Received]) -> Settlement | None:
        """On the worker thread: handle and make durable. None when nothing took effect and all comes again."""
        with self._report.handling():
            settled = settle(self._stage, batch, side.failures(), self._settings.policy)
        if settled.dead:
            self._limit.admit(len(settled.dead), time.monotonic(), settled.dead[-1].reason)
        if not settled.offsets:
            return settled
        if not settled.offsets.keys() <= side.intake.owned:
            return None
        messages = settled.send + [letter.message() for letter in settled.dead]
        self._delivering = time.monotonic()
        try:
            with self._report.committing():
                self._output.deliver(messages, settled.offsets, side.intake)
        except (AbortedError, KafkaUnavailableError):
            return None
        finally:
            self._delivering = None
        return settled

    def _stuck(self) -> bool:
        since = self._delivering
        return self._transactional and since is not None and time.monotonic() - since > LONGEST_DELIVERY_S

    def _await_work(self) -> None:
        """Nothing is polled during short work, to keep what was fetched ahead; long work is polled through."""
        assert self._under_way is not None
        if wait([self._under_way], PATIENCE_S).done:
            return
        while not self._under_way.done():
            self._ticked = time.monotonic()
            if self._stuck():
                raise StuckError(f"a delivery has taken more than {LONGEST_DELIVERY_S:.0f} s")
            for side in self._sides:
                side.intake.hold()
        for side in self._sides:
            side.intake.release()

    def _finish_under_way(self) -> None:
        """Before partitions go to another process, so that it starts where this one ends."""
        if self._under_way is not None:
            wait([self._under_way], REVOKE_WAIT_S)

    def _delay(self, side: _Side, settled: Settlement) -> None:
        for partition in settled.offsets:
            side.delayed.pop(partition, None)
        now, rest = time.monotonic(), dict(settled.rest)
        for partition, (offset, _reason) in settled.again.items():
            before = side.delayed.get(partition)
            failures = before.failures + 1 if before and before.offset == offset else 1
            side.delayed[partition] = _Delayed(offset, failures, now + self._settings.back_off.pause_s(failures))
            rest[partition] = offset
        self._not_now = self._not_now + 1 if settled.not_now else 0
        for partition, offset in settled.rest.items():
            pause = self._settings.back_off.pause_s(self._not_now)
            side.delayed[partition] = _Delayed(offset, 0, now + pause)
        side.intake.rest(rest)

    def _wake_due(self) -> None:
        now = time.monotonic()
        for side in self._sides:
            side.delayed = {p: d for p, d in side.delayed.items() if p in side.intake.owned}
            side.intake.wake(p for p, d in side.delayed.items() if d.due <= now)

    def _show_share(self, side: _Side) -> None:
        self._report.share(side.lane, len(side.intake.owned), side.intake.lag)
        self._report.paused(sum(len(s.delayed) for s in self._sides))
        for partition in side.shown - side.intake.lag.keys():
            self._report.gave_up(partition)
        side.shown = set(side.intake.lag)


def _sides(connection: Connection, spec: StageSpec, settings: RunnerSettings) -> list[_Side]:
    """The live lane first."""
    sides = []
    for lane in settings.lanes:
        topics = [t.lane(lane) for t in (TOPICS[name] for name in spec.consumes) if lane is Lane.LIVE or t.bulk]
        if topics:
            group, most = (
                (spec.name, settings.batch) if lane is Lane.LIVE else (f"{spec.name}-bulk", settings.bulk_batch)
            )
            sides.append(_Side(lane, Intake(connection, group, topics, settings.instance), most))
    return sides
