"""Kafka through confluent-kafka, imported here and in `kafka_topics` alone: intake, output, publishing, reading."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from confluent_kafka import (
    OFFSET_BEGINNING,
    OFFSET_END,
    OFFSET_INVALID,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)

from headwater.settings import SettingsError
from headwater.streaming.kafka_connection import SLOWEST_WORK_MS, Access, Connection
from headwater.streaming.message import Partition, Received, ToSend

REQUEST_S = 30.0
TRANSACTION_S = 10.0


class KafkaUnavailableError(Exception):
    """The broker can't be reached or refuses this client; the message names the cause."""


class AbortedError(Exception):
    """The transaction was aborted and nothing of it happened: rewind and go on."""


class DeliveryError(Exception):
    """A message could not be written; nothing may be committed past its source."""


class Intake:
    """One consumer group's share of some topics. One thread polls; `commit` may come from another."""

    def __init__(self, connection: Connection, group: str, topics: Sequence[str], instance: str) -> None:
        self.topics, self.trouble, self.joined = tuple(topics), "", False
        self.owned: set[Partition] = set()
        self.lag: dict[Partition, int] = {}
        self.before_revoke: Callable[[], None] = lambda: None
        self._held: list[Received] = []
        self._resting: set[Partition] = set()
        self._lost = False
        self._drained: dict[Partition, int] = {}
        self._connection = connection
        self._consumer = Consumer(
            connection.member(group, instance, error_cb=self._on_error, stats_cb=self._on_statistics)
        )
        self._consumer.subscribe(
            [connection.wire(t) for t in topics],
            on_assign=self._on_assign,
            on_revoke=self._on_revoke,
            on_lost=self._on_lost,
        )

    def take(self, most: int, wait_s: float, gather_s: float) -> list[Received]:
        """Wait for a first message, then gather up to `most` for a moment.

        Raises KafkaException when fatal, KafkaUnavailableError when the group went on without this member: what the
        client fetches after that was seen to be nothing at all (librdkafka 2.16), so the process starts again.
        """
        if self._lost:
            raise KafkaUnavailableError(f"the group gave the partitions of {', '.join(self.topics)} to others")
        batch, self._held = self._held[:most], self._held[most:]
        if not batch:
            first = self._consumer.poll(wait_s)
            if first is None:
                return []
            batch = self._received([first])
        if len(batch) < most:
            batch += self._received(self._consumer.consume(most - len(batch), gather_s))
        return batch

    def hold(self) -> None:
        """Keep polling without taking: to be called while a batch is worked on."""
        self._pause(self.owned)
        message = self._consumer.poll(0.1)
        if message is not None:
            self._held += self._received([message])

    def release(self) -> None:
        self._resume(self.owned - self._resting)

    def rest(self, offsets: Mapping[Partition, int]) -> None:
        """Take nothing from these partitions until `wake`, then from these offsets on."""
        for partition, offset in offsets.items():
            if partition in self.owned:
                self._resting.add(partition)
                self._pause([partition])
                self._seek(partition, offset)

    def wake(self, partitions: Iterable[Partition]) -> None:
        awake = self._resting & set(partitions)
        self._resting -= awake
        self._resume(awake & self.owned)

    def rewind(self, partitions: Iterable[Partition]) -> None:
        """Back to the committed offsets. Raises KafkaUnavailableError."""
        mine = [self._place(p) for p in partitions if p in self.owned]
        try:
            committed = self._consumer.committed(mine, REQUEST_S)
        except KafkaException as error:
            raise KafkaUnavailableError(f"can't read committed offsets: {error}") from error
        for place in committed:
            offset = OFFSET_BEGINNING if place.offset == OFFSET_INVALID else place.offset
            self._seek(self._partition(place), offset)

    def commit(self, offsets: Mapping[Partition, int]) -> None:
        """Raises KafkaUnavailableError; the batch's effects stay, its events come again."""
        try:
            self._consumer.commit(offsets=_places(self._connection, offsets), asynchronous=False)
        except KafkaException as error:
            raise KafkaUnavailableError(f"can't commit offsets: {error}") from error

    def commit_drained(self) -> None:
        """Step over the transaction markers at the end of a partition, so that a drained topic has a lag of 0."""
        drained = {p: o for p, o in self._drained.items() if p in self.owned}
        self._drained.clear()
        if drained:
            self._consumer.commit(offsets=_places(self._connection, drained), asynchronous=True)

    def group_metadata(self) -> object:
        return self._consumer.consumer_group_metadata()

    def close(self) -> None:
        self._consumer.close()

    def _received(self, messages: Iterable[Message]) -> list[Received]:
        batch = []
        for message in messages:
            error = message.error()
            if error is None:
                batch.append(_received(self._connection, message))
                self._drained.pop(batch[-1].partition, None)
            elif error.code() == KafkaError._PARTITION_EOF:
                partition, end = _position(self._connection, message)
                self.lag[partition] = 0
                self._drained[partition] = end
            elif error.code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                raise KafkaUnavailableError(f"topic missing: {error.str()}; create the topics first")
            elif error.fatal() or error.code() == KafkaError._MAX_POLL_EXCEEDED:
                raise KafkaException(error)
            else:
                self.trouble = error.str()
        return batch

    def _pause(self, partitions: Iterable[Partition]) -> None:
        self._consumer.pause([self._place(p) for p in partitions])

    def _resume(self, partitions: Iterable[Partition]) -> None:
        self._consumer.resume([self._place(p) for p in partitions])

    def _seek(self, partition: Partition, offset: int) -> None:
        self._held = [m for m in self._held if m.partition != partition]
        self._consumer.seek(_places(self._connection, {partition: offset})[0])

    def _place(self, partition: Partition) -> TopicPartition:
        return TopicPartition(self._connection.wire(partition.topic), partition.number)

    def _partition(self, place: TopicPartition) -> Partition:
        return Partition(self._connection.plain(place.topic), place.partition)

    def _on_assign(self, _consumer: Consumer, places: list[TopicPartition]) -> None:
        self.joined = True
        self.owned |= {self._partition(p) for p in places}

    def _on_revoke(self, _consumer: Consumer, places: list[TopicPartition]) -> None:
        self.before_revoke()
        self._forget(places)

    def _on_lost(self, _consumer: Consumer, places: list[TopicPartition]) -> None:
        self._lost = True
        self._forget(places)

    def _forget(self, places: list[TopicPartition]) -> None:
        gone = {self._partition(p) for p in places}
        self.owned -= gone
        self._resting -= gone
        self._held = [m for m in self._held if m.partition not in gone]
        for partition in gone:
            self.lag.pop(partition, None)
            self._drained.pop(partition, None)

    def _on_error(self, error: KafkaError) -> None:
        if error.code() != KafkaError._ALL_BROKERS_DOWN or not self.trouble:  # which names no cause
            self.trouble = error.str()

    def _on_statistics(self, text: str) -> None:
        statistics = json.loads(text)
        if any(b["state"] == "UP" and b["nodeid"] >= 0 for b in statistics["brokers"].values()):
            self.trouble = ""
        for topic in statistics["topics"].values():
            for row in topic["partitions"].values():
                partition = Partition(self._connection.plain(topic["topic"]), row["partition"])
                if partition in self.owned and partition not in self._drained and row["consumer_lag"] >= 0:
                    self.lag[partition] = row["consumer_lag"]


class Output:
    """What a stage produces through: in one transaction with the offsets, or idempotent and then committed."""

    def __init__(self, connection: Connection, transactional_id: str | None) -> None:
        self.trouble = ""
        self._transactional = transactional_id is not None
        self._connection = connection
        self._producer = Producer(connection.producer(transactional_id, error_cb=self._on_error))
        if self._transactional:
            self._producer.init_transactions(REQUEST_S)

    def deliver(self, messages: Sequence[ToSend], offsets: Mapping[Partition, int], intake: Intake) -> None:
        """All or nothing of messages and offsets. Raises AbortedError, DeliveryError, KafkaException when fatal."""
        if not self._transactional or not messages:
            _send(self._connection, self._producer, messages)
            intake.commit(offsets)
            return
        self._producer.begin_transaction()
        try:
            _enqueue(self._connection, self._producer, messages, _Outcome())
            places = _places(self._connection, offsets)
            self._producer.send_offsets_to_transaction(places, intake.group_metadata(), TRANSACTION_S)
            self._producer.commit_transaction(TRANSACTION_S)
        except KafkaException as error:
            if error.args[0].fatal():
                raise
            # Retriable or not: asking again after one was seen to hang for good (librdkafka 2.16).
            self._producer.abort_transaction(TRANSACTION_S)  # one that fails ends the process
            raise AbortedError(error.args[0].str()) from error
        self.trouble = ""

    def _on_error(self, error: KafkaError) -> None:
        self.trouble = error.str()


class Publisher:
    """Writes events that no stage consumed for: ref updates, heartbeats, replays."""

    def __init__(self, access: Access) -> None:
        """Raises SettingsError."""
        self._access = access
        self._renew()

    def publish(self, messages: Sequence[ToSend]) -> None:
        """Returns when every message is durable. Raises DeliveryError."""
        try:
            if self._access.fingerprint() != self._fingerprint:
                self._renew()
            producer = self._producer
            _send(self._connection, producer, messages)
        except SettingsError as error:
            raise DeliveryError(str(error)) from error
        except DeliveryError:  # its sequence has a gap now, at which the broker may refuse whatever comes after
            producer.purge()
            self._renew()
            raise

    def _renew(self) -> None:
        self._fingerprint, self._connection = self._access.fingerprint(), self._access.connection()
        self._producer = Producer(self._connection.producer())


class _Outcome:
    """Counts what the delivery reports say."""

    def __init__(self) -> None:
        self.error = ""

    def report(self, error: KafkaError | None, message: Message) -> None:
        if error is not None and not self.error:
            self.error = f"{message.topic()}: {error.str()}"


def _enqueue(connection: Connection, producer: Producer, messages: Sequence[ToSend], outcome: _Outcome) -> None:
    for message in messages:
        while True:
            try:
                topic: str = connection.wire(message.topic)
                headers: Any = list(message.headers)
                producer.produce(
                    topic, message.value, message.key, message.partition, headers=headers, on_delivery=outcome.report
                )
            except BufferError:
                producer.poll(0.05)
                continue
            break
        producer.poll(0)


def _send(connection: Connection, producer: Producer, messages: Sequence[ToSend]) -> None:
    outcome = _Outcome()
    try:
        _enqueue(connection, producer, messages, outcome)
    except KafkaException as error:
        raise DeliveryError(str(error)) from error
    left = producer.flush(SLOWEST_WORK_MS / 1000)
    if left or outcome.error:
        raise DeliveryError(outcome.error or f"{left} messages were not delivered in time")


def read_to_end(connection: Connection, topics: Sequence[str]) -> Iterator[Received]:
    """Everything committed in these topics as of now, for restoring state and for looking at dead letters."""
    consumer = Consumer(connection.reader())
    try:
        open_partitions = _assign_all(connection, consumer, topics)
        while open_partitions:
            for message in consumer.consume(5_000, 0.1):
                error = message.error()
                if error is None:
                    yield _received(connection, message)
                elif error.code() == KafkaError._PARTITION_EOF:
                    open_partitions.discard((message.topic(), message.partition()))
                else:
                    raise KafkaUnavailableError(error.str())
    finally:
        consumer.close()


class Tail:
    """Follows topics from their present ends on; no member of any group."""

    def __init__(self, connection: Connection, topics: Sequence[str]) -> None:
        """Raises KafkaUnavailableError."""
        self._connection = connection
        self._consumer = Consumer(connection.reader())
        _assign_all(connection, self._consumer, topics, OFFSET_END)

    def take(self, wait_s: float) -> list[Received]:
        """What came, after at most `wait_s` seconds; a broker that is away gives nothing until it is back."""
        return [_received(self._connection, m) for m in self._consumer.consume(1_000, wait_s) if m.error() is None]

    def close(self) -> None:
        self._consumer.close()


def unreachable(connection: Connection) -> str:
    """Why the brokers don't take a client of this connection, "" when they do."""
    said: list[str] = []
    try:
        client = Producer(connection.producer(error_cb=lambda error: said.append(error.str())))
    except KafkaException as error:
        return str(error)
    try:
        client.list_topics(timeout=TRANSACTION_S / 2)
    except KafkaException as error:
        client.poll(0)
        return next((text for text in said if "brokers are down" not in text), error.args[0].str())
    return ""


def partition_counts(connection: Connection, topics: Sequence[str]) -> dict[str, int]:
    """Raises KafkaUnavailableError."""
    consumer = Consumer(connection.reader())
    try:
        found = consumer.list_topics(timeout=REQUEST_S).topics
        return {t: len(found[wire].partitions) for t in topics if (wire := connection.wire(t)) in found}
    except KafkaException as error:
        raise KafkaUnavailableError(error.args[0].str()) from error
    finally:
        consumer.close()


def _assign_all(
    connection: Connection, consumer: Consumer, topics: Sequence[str], start: int = OFFSET_BEGINNING
) -> set[tuple[str, int]]:
    """The partitions, by their topics' names on the brokers."""
    try:
        wires = [connection.wire(topic) for topic in topics]
        found = {topic: consumer.list_topics(topic, REQUEST_S).topics[topic] for topic in wires}
    except KafkaException as error:
        raise KafkaUnavailableError(error.args[0].str()) from error
    missing = [topic for topic, metadata in found.items() if metadata.error is not None]
    if missing:
        raise KafkaUnavailableError(f"topics missing: {', '.join(missing)}; create the topics first")
    places = {(topic, number) for topic, metadata in found.items() for number in metadata.partitions}
    consumer.assign([TopicPartition(topic, number, start) for topic, number in places])
    return places


def _position(connection: Connection, message: Message) -> tuple[Partition, int]:
    topic, number, offset = message.topic(), message.partition(), message.offset()
    assert topic is not None
    assert number is not None
    assert offset is not None
    return Partition(connection.plain(topic), number), offset


def _received(connection: Connection, message: Message) -> Received:
    partition, offset = _position(connection, message)
    headers: Any = message.headers() or ()
    return Received(partition, offset, message.key(), message.value(), {name: value or b"" for name, value in headers})


def _places(connection: Connection, offsets: Mapping[Partition, int]) -> list[TopicPartition]:
    return [TopicPartition(connection.wire(p.topic), p.number, offset) for p, offset in offsets.items()]
