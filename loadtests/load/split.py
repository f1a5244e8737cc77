"""Which stage took how long: by the times at which the events of each generation were written to their topics."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

from headwater.events import Lane
from headwater.streaming.kafka_connection import Connection
from headwater.topology import TOPICS

TRACED = ("commit-received", "file-changed", "chunk-changed", "symbols-changed", "chunk-embedded", "index-applied")
# stage: the topic that it reads, the topic that it writes
HOPS = {
    "merkle-differ": ("commit-received", "file-changed"),
    "ast-chunker": ("file-changed", "symbols-changed"),
    "embedder": ("chunk-changed", "chunk-embedded"),
    "vector-sink": ("chunk-embedded", "index-applied:vector"),
    "defref-sink": ("symbols-changed", "index-applied:lexical"),
}


class _Part(msgspec.Struct):
    repo: str
    generation: int = 0
    after: str = ""
    index: str = ""
    pushed_at: float = 0.0


Written = dict[str, float]  # topic to the epoch seconds of its last event


class Trace(msgspec.Struct):
    """What the topics hold of one repository: by pushed commit, when each topic got its last event of that push."""

    by_commit: dict[str, Written]
    chunks: int


def trace(connection: Connection, repo: str) -> Trace:
    by_push: dict[float, Written] = defaultdict(dict)
    pushes: dict[str, float] = {}
    decode, chunks = msgspec.json.Decoder(_Part).decode, 0
    for topic, at, value in _messages(connection):
        part = decode(value)
        if part.repo != repo:
            continue
        chunks += topic == "chunk-changed"
        if part.after:
            pushes[part.after] = part.pushed_at
        name, row = f"{topic}:{part.index}" if part.index else topic, by_push[part.pushed_at]
        row[name] = max(at, row.get(name, 0.0))
    return Trace({commit: by_push[at] for commit, at in pushes.items()}, chunks)


def split(row: Written, pushed: float, seen: float) -> dict[str, float]:
    """Seconds by stage, each from the last event that it read to the last that it wrote."""
    seconds = {"commit-ingest": row.get("commit-received", pushed) - pushed}
    for stage, (read, wrote) in HOPS.items():
        if read in row and wrote in row:
            seconds[stage] = max(0.0, row[wrote] - row[read])
    applied = max(row.get("index-applied:lexical", 0.0), row.get("index-applied:vector", 0.0))
    if applied:
        seconds["reconciler"] = max(0.0, seen - applied)
    return seconds


def _messages(connection: Connection) -> Iterable[tuple[str, float, bytes]]:
    """(parent topic, epoch seconds, value) of every event so far."""
    consumer = Consumer(connection.reader())
    topics = {TOPICS[name].lane(lane): name for name in TRACED for lane in Lane}
    known = consumer.list_topics(timeout=30).topics
    places = {(t, n) for t in topics for n in known[t].partitions}
    consumer.assign([TopicPartition(t, n, OFFSET_BEGINNING) for t, n in places])
    while places:
        for message in consumer.consume(5_000, 0.2):
            error = message.error()
            if error is not None and error.code() == KafkaError._PARTITION_EOF:
                places.discard((message.topic(), message.partition()))
            elif error is None and not any(name == "heartbeat" for name, _value in message.headers() or ()):
                yield topics[message.topic()], message.timestamp()[1] / 1000, message.value()
    consumer.close()
