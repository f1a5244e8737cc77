"""The command that an installation creates its topics with, on a real broker."""

import logging

import pytest

from headwater.deployment.topics import run
from headwater.stack.process import Running
from headwater.streaming.kafka import partition_counts
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.topic_settings import topic_settings


def test_missing_topics_are_created_once(kafka: Running, caplog: pytest.LogCaptureFixture) -> None:
    broker = kafka.address("broker")
    environ = {"HEADWATER_TOPICS_BROKERS": broker, "HEADWATER_TOPICS_REPLICATION": "1"}
    names = [topic.name for topic in topic_settings()]
    assert run(environ) == 0
    there = partition_counts(Connection(broker), names)
    assert set(there) == set(names)
    with caplog.at_level(logging.INFO, "headwater"):
        assert run({**environ, "HEADWATER_TOPICS_PARTITIONS": "heartbeat-dlq=5"}) == 0
    assert "nothing, every topic was there" in caplog.text
    assert "heartbeat-dlq has" in caplog.text
    assert partition_counts(Connection(broker), names) == there, "partitions of a topic in use are never changed"
