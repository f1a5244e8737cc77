"""Two editions of the index on one broker: neither reads what is the other's, and one goes without the other."""

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from contracts.test_runner import Recorder, file_changed
from headwater.events import ChunkChanged, FileChanged
from headwater.metrics import Metrics
from headwater.stack import Running
from headwater.streaming.codec import decode_event, encode_event
from headwater.streaming.dead_letters import list_letters
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.faust import FaustRunner
from headwater.streaming.kafka import Publisher, partition_counts, read_to_end
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_runner import KafkaRunner
from headwater.streaming.kafka_topics import create_topics, delete_topics
from headwater.streaming.message import ToSend
from headwater.streaming.runner_settings import RunnerSettings
from headwater.streaming.stage import Outgoing
from headwater.streaming.topic_settings import topic_settings
from headwater.topology import StageSpec
from support.kafka_topics import GroupProgress
from support.runners import CHUNKER, RunnerThread

NAMES = [t.name for t in topic_settings() if t.name.startswith(("file-changed", "chunk-changed", "symbols-changed"))]


@pytest.fixture
def editions(kafka: Running) -> Iterator[list[Connection]]:
    made = [Connection(kafka.address("broker"), edition=n) for n in (71, 72)]
    small = [msgspec.structs.replace(t, partitions=2) for t in topic_settings() if t.name in NAMES]
    for connection in made:
        create_topics(connection, small)
    yield made
    for connection in made:
        delete_topics(connection, NAMES)


class Refusing(Recorder):
    """Sets one event aside."""

    def handle(self, batch: Sequence[FileChanged]) -> Iterable[Outgoing]:
        if any(event.generation == 3 for event in batch):
            raise InvalidEventError("not this one")
        return super().handle(batch)


@pytest.mark.parametrize("runner", ["kafka", "faust"])
def test_each_edition_has_its_own_topics_groups_and_dead_letters(editions: list[Connection], runner: str) -> None:
    spec = StageSpec(f"ast-chunker-{runner}", CHUNKER.consumes, CHUNKER.produces)  # no group has members of both kinds
    for first, connection in enumerate(editions):
        events = [file_changed("a.py", n) for n in range(1 + 10 * first, 6 + 10 * first)]
        Publisher(connection).publish([ToSend("file-changed", b"k", encode_event(e)) for e in events])
    stages = [Refusing(), Recorder()]
    for connection, stage in zip(editions, stages, strict=True):
        progress = GroupProgress(connection, connection.wire(spec.name), [connection.wire("file-changed")])
        with tempfile.TemporaryDirectory() as data:
            settings = RunnerSettings(batch=2)
            made = (
                KafkaRunner(connection, spec, stage, settings, Metrics())
                if runner == "kafka"
                else FaustRunner(connection, spec, stage, Path(data), settings, Metrics())
            )
            RunnerThread(made.run).until(progress.wait_drained)
        progress.close()
    assert [s.generations() for s in stages] == [{1, 2, 4, 5}, set(range(11, 16))]
    letters = [list(list_letters(c, ["file-changed"])) for c in editions]
    assert [[stored.id.topic for stored in found] for found in letters] == [["file-changed-dlq"], []]
    produced = [[decode_event("chunk-changed", m.value) for m in read_to_end(c, ["chunk-changed"])] for c in editions]
    for stage, made_events in zip(stages, produced, strict=True):
        assert {e.generation for e in made_events if isinstance(e, ChunkChanged)} == stage.generations()


def test_topics_go_with_their_edition(editions: list[Connection]) -> None:
    delete_topics(editions[0], NAMES)
    delete_topics(editions[0], NAMES)
    deadline = time.monotonic() + 30
    while partition_counts(editions[0], NAMES) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert [sorted(partition_counts(c, NAMES)) for c in editions] == [[], sorted(NAMES)]
