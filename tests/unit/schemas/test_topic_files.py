"""Topology, schemas and topic files name the same sets, and each topic's settings fit its kind."""

import pytest

from headwater.events import Lane
from headwater.streaming.codec import parent_topic
from headwater.streaming.event_schemas import schema_file
from headwater.streaming.settlement import MAX_MESSAGE_BYTES
from headwater.streaming.topic_settings import TopicSettings, schemas_folder, topic_settings
from headwater.topology import STAGES, TOPICS

SETTINGS = {t.name: t for t in topic_settings()}
by_name = pytest.mark.parametrize("topic", SETTINGS.values(), ids=lambda t: t.name)


def test_topology_and_topic_files_name_the_same_topics() -> None:
    declared = {name for t in TOPICS.values() for name in (t.lane(Lane.LIVE), t.lane(Lane.BULK), t.dead_letter)}
    assert set(SETTINGS) == declared
    assert {p.stem for p in (schemas_folder() / "topics").iterdir()} == declared


def test_topology_and_event_schemas_name_the_same_topics() -> None:
    assert {p.name for p in (schemas_folder() / "events").iterdir()} == {schema_file(name) for name in TOPICS}


def test_stages_and_topics_name_each_other() -> None:
    assert {t for s in STAGES for t in (*s.consumes, *s.produces)} == set(TOPICS)


@by_name
def test_topic_belongs_to_its_parent(topic: TopicSettings) -> None:
    parent = parent_topic(topic.name)
    assert topic.key == parent.key
    assert topic.event == schema_file(parent.name)
    assert topic.owner in {s.name for s in STAGES}
    assert topic.why


@by_name
def test_a_lane_has_as_many_partitions_and_room_as_its_twin(topic: TopicSettings) -> None:
    parent = SETTINGS[parent_topic(topic.name).name]
    if topic.name.endswith("-dlq"):
        assert topic.max_message_bytes > parent.max_message_bytes
        assert topic.retention_hours >= 720
    else:
        assert topic.partitions == parent.partitions
        assert topic.max_message_bytes == parent.max_message_bytes


def test_the_largest_message_a_stage_may_send_fits() -> None:
    assert SETTINGS["symbols-changed"].max_message_bytes > MAX_MESSAGE_BYTES


def test_compaction_waits_for_slow_stages() -> None:
    configuration = SETTINGS["commit-received"].configuration()
    assert configuration["cleanup.policy"] == "compact,delete"
    assert int(configuration["min.compaction.lag.ms"]) == 86_400_000
