"""The runners under one bench: put events in, run to quiet, look at what came out."""

import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from headwater.events import Event, FileChanged
from headwater.metrics import Metrics
from headwater.stack import Running
from headwater.streaming.back_off import BackOff
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.in_process import InProcessRunner
from headwater.streaming.message import ToSend
from headwater.streaming.stage import Outgoing, Stage
from headwater.topology import STAGES, StageSpec

CHUNKER = next(spec for spec in STAGES if spec.name == "ast-chunker")
PARENTS = ("file-changed", "chunk-changed", "symbols-changed")


class Bench(Protocol):
    """Runs a stage that stands in for the ast-chunker."""

    def run(self, stage: Stage[Any], events: Sequence[FileChanged]) -> None:
        """Hand over the events and return when all are done; raises what ended the runner."""
        ...

    def produced(self) -> list[Event]: ...

    def dead_letters(self) -> list[tuple[int, str]]:
        """(generation, reason)"""
        ...

    def close(self) -> None: ...


class _Collector:
    name = "embedder"

    def __init__(self) -> None:
        self.events: list[Event] = []

    def handle(self, batch: Sequence[Event]) -> Iterable[Outgoing]:
        self.events += batch
        return ()


class InProcess:
    """The embedded product's runner."""

    def __init__(self, _request: pytest.FixtureRequest) -> None:
        self._collector = _Collector()
        self._letters: list[tuple[int, str]] = []

    def run(self, stage: Stage[Any], events: Sequence[FileChanged]) -> None:
        runner = InProcessRunner({stage.name: stage, "embedder": self._collector}, {stage.name: 8})
        runner.submit("file-changed", events)
        runner.drain()
        for letter in runner.dead_letters:
            assert isinstance(letter.event, FileChanged)
            self._letters.append((letter.event.generation, letter.reason))

    def produced(self) -> list[Event]:
        return self._collector.events

    def dead_letters(self) -> list[tuple[int, str]]:
        return self._letters

    def close(self) -> None:
        """Nothing is open."""


class _OnBroker:
    """What the runners over a real broker share."""

    spec = CHUNKER

    def __init__(self, request: pytest.FixtureRequest) -> None:
        pytest.importorskip("confluent_kafka")
        from headwater.streaming.kafka_connection import Connection
        from support.kafka_topics import GroupProgress, renew_topics

        broker: Running = request.getfixturevalue("kafka")
        self.connection = Connection(broker.address("broker"))
        renew_topics(self.connection, PARENTS)
        self.progress = GroupProgress(self.connection, self.spec.name, ["file-changed"])

    def publish(self, events: Sequence[FileChanged]) -> None:
        from headwater.streaming.kafka import Publisher

        messages = [ToSend("file-changed", f"{e.repo}/{e.path}".encode(), encode_event(e)) for e in events]
        Publisher(self.connection).publish(messages)

    def produced(self) -> list[Event]:
        from headwater.streaming.kafka import read_to_end

        messages = read_to_end(self.connection, ["chunk-changed"])
        return [decode_event("chunk-changed", message.value) for message in messages]

    def dead_letters(self) -> list[tuple[int, str]]:
        from headwater.streaming.dead_letters import list_letters

        found = []
        for stored in list_letters(self.connection, ["file-changed"]):
            event = decode_event("file-changed", stored.letter.value)
            assert isinstance(event, FileChanged)
            found.append((event.generation, stored.letter.reason))
        return found

    def close(self) -> None:
        self.progress.close()


class Kafka(_OnBroker):
    """The plain consume-transform-produce loop with transactions."""

    def run(self, stage: Stage[Any], events: Sequence[FileChanged]) -> None:
        from headwater.streaming.kafka_runner import KafkaRunner
        from headwater.streaming.runner_settings import RunnerSettings

        self.publish(events)
        settings = RunnerSettings(batch=8, back_off=BackOff(0.02, 0.1))
        runner = KafkaRunner(self.connection, self.spec, stage, settings, Metrics())
        RunnerThread(runner.run).until(self.progress.wait_drained)


class Faust(_OnBroker):
    """faust-streaming, as the ast-chunker runs; in a group of its own, for the other runner's has another protocol."""

    spec = StageSpec("ast-chunker-faust", CHUNKER.consumes, CHUNKER.produces)

    def run(self, stage: Stage[Any], events: Sequence[FileChanged]) -> None:
        pytest.importorskip("faust")
        from headwater.streaming.faust import FaustRunner
        from headwater.streaming.runner_settings import RunnerSettings

        self.publish(events)
        settings = RunnerSettings(batch=8, back_off=BackOff(0.02, 0.1))
        with tempfile.TemporaryDirectory() as data:
            runner = FaustRunner(self.connection, self.spec, stage, Path(data), settings, Metrics())
            RunnerThread(runner.run).until(self.progress.wait_drained)


class RunnerThread:
    """A runner on a thread; what ends it comes out of `until`."""

    def __init__(self, run: Any) -> None:
        self.stop = threading.Event()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(run,), daemon=True)
        self._thread.start()

    def _run(self, run: Any) -> None:
        try:
            run(self.stop)
        except BaseException as error:  # noqa: BLE001 handed to the test's thread
            self.error = error

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    def until(self, done: Any, wait_s: float = 60) -> None:
        """Raises TimeoutError when it isn't done in time."""
        deadline = time.monotonic() + wait_s
        try:
            while not self.ended and not done(1.0):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"not done within {wait_s:.0f} s")
        finally:
            self.join()

    def join(self) -> None:
        self.stop.set()
        self._thread.join(60)
        if self.error is not None:
            raise self.error


RUNNERS = (InProcess, Kafka, Faust)
