"""Fresh topics on a shared broker, and how far a group has come."""

import time
from collections.abc import Iterable

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient

from headwater.streaming.codec import parent_topic
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_topics import create_topics
from headwater.streaming.topic_settings import TopicSettings, topic_settings


def renew_topics(connection: Connection, parents: Iterable[str], partitions: int = 2) -> None:
    """Delete these topics (live, bulk and dead letters) with their groups' offsets, and create them empty."""
    admin = AdminClient(connection.configuration())
    wanted = [t for t in topic_settings() if parent_topic(t.name).name in set(parents)]
    known = admin.list_topics(timeout=30).topics
    old = [t.name for t in wanted if t.name in known]
    for future in admin.delete_topics(old).values() if old else ():
        future.result(30)
    deadline = time.monotonic() + 30
    while admin.list_topics(timeout=30).topics.keys() & set(old):  # a broker may tell of them a moment longer
        assert time.monotonic() < deadline
        time.sleep(0.05)
    small = [_with_partitions(t, min(t.partitions, partitions)) for t in wanted]
    create_topics(connection, small)


def _with_partitions(topic: TopicSettings, partitions: int) -> TopicSettings:
    fields = {name: getattr(topic, name) for name in topic.__struct_fields__}
    return TopicSettings(**{**fields, "partitions": partitions})


def wait_group_empty(connection: Connection, group: str, wait_s: float = 30) -> None:
    """Until the sessions of members that were killed have ended; runners of different kinds can't share a group."""
    admin = AdminClient(connection.configuration())
    deadline = time.monotonic() + wait_s
    while admin.describe_consumer_groups([group])[group].result(30).members:
        assert time.monotonic() < deadline
        time.sleep(0.3)


class GroupProgress:
    """Compares a group's committed offsets with the ends of its topics."""

    def __init__(self, connection: Connection, group: str, topics: Iterable[str]) -> None:
        self._consumer = Consumer(connection.configuration(group_id=group, isolation_level="read_committed"))
        self._topics = list(topics)

    def behind(self) -> int:
        """Events not yet committed as done."""
        total = 0
        for topic in self._topics:
            numbers = self._consumer.list_topics(topic, 30).topics[topic].partitions
            for place in self._consumer.committed([TopicPartition(topic, n) for n in numbers], 30):
                low, high = self._consumer.get_watermark_offsets(place, 30)
                total += high - (place.offset if place.offset >= 0 else low)
        return total

    def wait_drained(self, wait_s: float = 60) -> bool:
        deadline = time.monotonic() + wait_s
        while time.monotonic() < deadline:
            if self.behind() == 0:
                return True
            time.sleep(0.1)
        return False

    def close(self) -> None:
        self._consumer.close()
