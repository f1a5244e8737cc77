"""`python -m headwater.deployment.topics`: create the missing topics, bring the settings of the others up to date."""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from headwater.deployment.parts.pipeline import pipeline_index
from headwater.runtime.redact import mask_logs
from headwater.settings import SettingsError, load_settings
from headwater.streaming.broker_access import read_properties
from headwater.streaming.kafka import KafkaUnavailableError, partition_counts
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.kafka_topics import create_topics
from headwater.streaming.topic_settings import TopicSettings, topic_settings

Meta = msgspec.Meta
log = logging.getLogger("headwater")


class TopicsSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_TOPICS_…"""

    brokers: Annotated[str, Meta(description="Kafka's bootstrap addresses, host:port with commas", min_length=1)]
    kafka_properties: Annotated[str, Meta(description="file of further librdkafka properties, name=value")] = ""
    replication: Annotated[int, Meta(description="replicas of a new topic", ge=1)] = 3
    partitions: Annotated[
        tuple[str, ...], Meta(description="topic=number, with commas, where a new topic needs more than by default")
    ] = ()


def sized(topics: Sequence[TopicSettings], partitions: Sequence[str]) -> list[TopicSettings]:
    """With the partitions asked for. Raises SettingsError for an unknown topic or fewer than one."""
    asked: dict[str, int] = {}
    for entry in partitions:
        name, _, number = entry.partition("=")
        if name not in {topic.name for topic in topics} or not number.isdecimal() or int(number) < 1:
            raise SettingsError(f"HEADWATER_TOPICS_PARTITIONS: '{entry}' is no topic=number")
        asked[name] = int(number)
    return [msgspec.structs.replace(t, partitions=asked.get(t.name, t.partitions)) for t in topics]


def run(environ: Mapping[str, str]) -> int:
    """Of the index that HEADWATER_PIPELINE_INDEX names. Gives the exit status.

    Raises SettingsError, KafkaUnavailableError.
    """
    settings = load_settings(TopicsSettings, "topics", environ)
    connection = Connection(settings.brokers, read_properties(settings.kafka_properties), pipeline_index(environ))
    wanted = sized(topic_settings(), settings.partitions)
    created = create_topics(connection, wanted, settings.replication)
    log.info("created: %s", ", ".join(created) or "nothing, every topic was there")
    there = partition_counts(connection, [topic.name for topic in wanted])
    for topic in wanted:
        if there.get(topic.name, topic.partitions) != topic.partitions:
            log.warning(
                "%s has %d partitions, not %d: a key would change its partition, see docs/upgrade.md",
                topic.name,
                there[topic.name],
                topic.partitions,
            )
    return 0


def main() -> int:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
    mask_logs()
    try:
        return run(os.environ)
    except (SettingsError, KafkaUnavailableError) as error:
        log.error("%s", error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
