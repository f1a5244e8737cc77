"""The runner port over faust-streaming, the one module that imports it: for a stage that is stateless and idempotent.

Faust reads uncommitted messages and commits after its outputs are durable: at least once. Everything that decides is
shared with the plain runner (`settlement`, `back_off`).
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import faust

from headwater.events import Lane
from headwater.metrics import METRICS, Metrics
from headwater.runtime.private_files import private_folder
from headwater.streaming.back_off import DeadLetterLimit
from headwater.streaming.broker_watch import BrokerWatch
from headwater.streaming.kafka_connection import SESSION_MS, Connection
from headwater.streaming.message import Partition, Received, ToSend
from headwater.streaming.runner import StuckError
from headwater.streaming.runner_settings import RunnerSettings
from headwater.streaming.security import Security, security_from
from headwater.streaming.settlement import MAX_MESSAGE_BYTES, Settlement, settle
from headwater.streaming.stage import Stage
from headwater.streaming.stage_metrics import StageMetrics
from headwater.topology import TOPICS, StageSpec

TICK_S = 0.2
JOIN_S = 60.0
END_S = 45.0
LAG_S = 2.0
BULK_YIELD_S = 0.1  # the bulk lane waits until the live lane was idle for this long


class JoinError(Exception):
    """The group refuses this member, for one because members under the other runner are still in it."""


class AgentEndedError(Exception):
    """The agent of a lane is no more, so that nothing of that lane would be handled again."""


class FaustRunner:
    """Runs one stage until stopped. Work is done on a thread, so that the group's heartbeats go on (F1)."""

    def __init__(
        self,
        connection: Connection,
        spec: StageSpec,
        stage: Stage[Any],
        data: Path,
        settings: RunnerSettings = RunnerSettings(),  # noqa: B008 frozen
        metrics: Metrics = METRICS,
    ) -> None:
        self._connection, self._spec, self._stage, self._data = connection, spec, stage, data
        self._settings, self._report = settings, StageMetrics(stage.name, metrics)
        self._limit = DeadLetterLimit(settings.dead_letters, settings.dead_letter_window_s)
        self._joined, self._ticked, self._lag_due = False, time.monotonic(), 0.0
        self._watch, self._shown = BrokerWatch(connection), set[Partition]()
        self._app: Any = None
        self._live_until = 0.0
        self._error: BaseException | None = None
        self._stop = threading.Event()

    def run(self, stop: threading.Event) -> None:
        """Returns after `stop` is set and what is under way is done. Raises what ends the process."""
        self._stop = stop
        private_folder(self._data)
        with ThreadPoolExecutor(1, "stage") as worker, self._watch:
            asyncio.run(self._main(worker))
        if self._error is not None:
            raise self._error

    def live(self) -> bool:
        return self._error is None and time.monotonic() - self._ticked < 60

    def not_ready(self) -> str:
        return self._watch.trouble or ("" if self._joined else "the consumer has not joined its group yet")

    async def _main(self, worker: ThreadPoolExecutor) -> None:
        group = self._connection.wire(_group(self._spec, self._settings))
        self._app = _app(self._connection, group, self._data, self._settings)
        self._app.on_partitions_assigned.connect(self._on_assigned)
        for lane in self._settings.lanes:
            topics = [self._connection.wire(topic) for topic in _topics(self._spec, lane)]
            if topics:
                source = self._app.topic(*topics, key_serializer="raw", value_serializer="raw", value_type=bytes)
                self._app.agent(source, name=f"{self._spec.name}-{lane}")(self._agent(lane, worker))
        await self._app.start()
        started = time.monotonic()
        while not self._stop.is_set() and self._error is None:
            self._ticked = time.monotonic()
            if self._joined or self._watch.trouble:
                started = self._ticked
            elif self._ticked - started > JOIN_S:  # Faust logs a refusal and then waits for ever
                self._error = JoinError(
                    f"{self._spec.name} could not join its group within {JOIN_S:.0f} s: see the log"
                )
            await self._show_share()
            await asyncio.sleep(TICK_S)
        try:
            await asyncio.wait_for(self._app.stop(), END_S)
        except TimeoutError as error:
            raise StuckError(f"Faust did not stop within {END_S:.0f} s") from error

    async def _on_assigned(self, _app: Any, _assigned: set[Any], **_rest: Any) -> None:
        self._joined, self._lag_due = True, 0.0

    async def _show_share(self) -> None:
        """What this process holds, and how far behind it is: what was not fetched yet, and what is under way."""
        if not self._joined or self._ticked < self._lag_due:
            return
        self._lag_due = self._ticked + LAG_S
        consumer = self._app.consumer
        under_way = Counter((m.topic, m.partition) for m in list(consumer.unacked))
        lag: dict[Partition, int] = {}
        for place in consumer.assignment():
            end, position = consumer.highwater(place), await consumer.position(place)
            if end is not None and position is not None:
                partition = Partition(self._connection.plain(place.topic), place.partition)
                lag[partition] = max(0, end - position) + under_way[place.topic, place.partition]
        for lane in Lane:
            own = {p: events for p, events in lag.items() if p.topic in _topics(self._spec, lane)}
            self._report.share(lane, len(own), own)
        for partition in self._shown - lag.keys():
            self._report.gave_up(partition)
        self._shown = set(lag)

    def _agent(self, lane: Lane, worker: ThreadPoolExecutor) -> Callable[[Any], Awaitable[None]]:
        most = self._settings.batch if lane is Lane.LIVE else self._settings.bulk_batch

        async def consume(stream: Any) -> None:
            batches: AsyncIterator[list[Any]] = stream.noack_take(most, within=self._settings.gather_s * 4)
            try:
                async for events in batches:
                    if self._error is not None:
                        return
                    await self._work_off(lane, stream, list(events), worker)
            except Exception as error:  # noqa: BLE001 whatever it is ends the process, uncommitted
                self._error = error
            finally:
                if self._error is None and not self._stop.is_set():
                    self._error = AgentEndedError(f"the agent of the {lane} lane ended")

        return consume

    async def _work_off(self, lane: Lane, stream: Any, events: list[Any], worker: ThreadPoolExecutor) -> None:
        """Until every event of the batch is done; a failing one makes its lane wait."""
        failures: dict[Partition, tuple[int, int]] = {}
        refused = 0
        while events and not self._stop.is_set():
            await self._yield_to_live(lane)
            batch = [self._received(event) for event in events]
            settled = await asyncio.get_running_loop().run_in_executor(worker, self._settle, batch, failures)
            await self._deliver(settled)
            self._report.settled(lane, batch, settled)
            done = [e for e in events if _offset(e) < settled.offsets.get(self._partition(e), 0)]
            for event in done:
                await stream.ack(event)
            events = [e for e in events if e not in done]
            failures = {p: (o, _failures(failures, p, o) + 1) for p, (o, _reason) in settled.again.items()}
            refused = refused + 1 if settled.not_now else 0
            if events:
                await self._pause(max([refused, *(count for _offset, count in failures.values())]))

    def _settle(self, batch: Sequence[Received], failures: dict[Partition, tuple[int, int]]) -> Settlement:
        with self._report.handling():
            settled = settle(self._stage, batch, failures, self._settings.policy)
        if settled.dead:
            self._limit.admit(len(settled.dead), time.monotonic(), settled.dead[-1].reason)
        return settled

    async def _deliver(self, settled: Settlement) -> None:
        with self._report.committing():
            messages: list[ToSend] = settled.send + [letter.message() for letter in settled.dead]
            send, wire = self._app.producer.send, self._connection.wire
            sent = [await send(wire(m.topic), m.key, m.value, _place(m), None, list(m.headers)) for m in messages]
            await asyncio.gather(*sent)

    async def _yield_to_live(self, lane: Lane) -> None:
        if lane is Lane.LIVE:
            self._live_until = time.monotonic() + BULK_YIELD_S
            return
        while time.monotonic() < self._live_until and not self._stop.is_set():
            await asyncio.sleep(BULK_YIELD_S / 4)

    def _partition(self, event: Any) -> Partition:
        return Partition(self._connection.plain(event.message.topic), event.message.partition)

    def _received(self, event: Any) -> Received:
        message = event.message
        headers = dict(message.headers or ())
        return Received(self._partition(event), message.offset, message.key, message.value, headers)

    async def _pause(self, attempt: int) -> None:
        due = time.monotonic() + self._settings.back_off.pause_s(max(attempt, 1))
        while (left := due - time.monotonic()) > 0 and not self._stop.is_set():
            await asyncio.sleep(min(left, TICK_S))


def _group(spec: StageSpec, settings: RunnerSettings) -> str:
    """A process for the bulk lane alone is in a group of its own; one for both lanes, or for the live one, shares."""
    return f"{spec.name}-bulk" if settings.lanes == (Lane.BULK,) else spec.name


def _app(connection: Connection, name: str, data: Path, settings: RunnerSettings) -> Any:
    return faust.App(
        name,
        broker=[f"kafka://{address}" for address in connection.brokers.split(",")],
        broker_credentials=_credentials(security_from(connection.properties)),
        datadir=data,
        store="memory://",
        web_enabled=False,
        topic_allow_declare=False,
        topic_disable_leader=True,
        consumer_auto_offset_reset="earliest",
        consumer_group_instance_id=f"{name}-{settings.instance}",
        consumer_max_fetch_size=MAX_MESSAGE_BYTES + 65_536,
        producer_max_request_size=MAX_MESSAGE_BYTES + 65_536,
        producer_compression_type="lz4",
        broker_session_timeout=SESSION_MS / 1000,
        broker_heartbeat_interval=3.0,
        broker_commit_interval=0.5,
        stream_wait_empty=False,
    )


def _credentials(security: Security) -> Any:
    context = security.tls_context()
    if security.mechanism is None:
        return faust.SSLCredentials(context) if context else None
    return faust.SASLCredentials(
        username=security.username, password=security.password, mechanism=security.mechanism, ssl_context=context
    )


def _topics(spec: StageSpec, lane: Lane) -> list[str]:
    return [t.lane(lane) for t in (TOPICS[name] for name in spec.consumes) if lane is Lane.LIVE or t.bulk]


def _place(message: ToSend) -> int | None:
    return None if message.partition < 0 else message.partition


def _offset(event: Any) -> int:
    offset: int = event.message.offset
    return offset


def _failures(failures: dict[Partition, tuple[int, int]], partition: Partition, offset: int) -> int:
    before, count = failures.get(partition, (-1, 0))
    return count if before == offset else 0
