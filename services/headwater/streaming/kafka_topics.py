"""Making and removing topics, as an administrator."""

from collections.abc import Iterable, Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, ResourceType  # type: ignore[attr-defined]

from headwater.streaming.kafka import REQUEST_S, KafkaUnavailableError
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.topic_settings import TopicSettings


def create_topics(connection: Connection, wanted: Iterable[TopicSettings], replication: int = 1) -> list[str]:
    """Create the missing topics and bring the settings of the others up to date; gives the names created.

    Partitions are never taken away. Raises KafkaUnavailableError.
    """
    admin, topics = AdminClient(connection.configuration()), {connection.wire(t.name): t for t in wanted}
    try:
        known = admin.list_topics(timeout=REQUEST_S).topics.keys() & topics.keys()
        new = [
            NewTopic(name, t.partitions, replication, config=t.configuration())
            for name, t in topics.items()
            if name not in known
        ]
        _await(admin.create_topics(new) if new else {})
        resources = [
            ConfigResource(ResourceType.TOPIC, name, set_config=topics[name].configuration()) for name in sorted(known)
        ]
        _await(admin.alter_configs(resources) if resources else {})
    except KafkaException as error:
        raise KafkaUnavailableError(error.args[0].str()) from error
    return [t.topic for t in new]


def delete_topics(connection: Connection, names: Iterable[str]) -> None:
    """Those that are there, soon after it returns. Raises KafkaUnavailableError."""
    admin = AdminClient(connection.configuration())
    try:
        for future in admin.delete_topics([connection.wire(name) for name in names]).values():
            _unless_absent(future)
    except KafkaException as error:
        raise KafkaUnavailableError(error.args[0].str()) from error


def _unless_absent(future: Any) -> None:
    try:
        future.result(REQUEST_S)
    except KafkaException as error:
        if error.args[0].code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
            raise


def _await(futures: Mapping[Any, Any]) -> None:
    for future in futures.values():
        future.result(REQUEST_S)
