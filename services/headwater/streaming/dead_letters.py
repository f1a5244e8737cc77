"""Looking at dead letters and sending them again: what `headwater dlq list|show|replay` does."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from headwater.streaming.dead_letter import DeadLetter
from headwater.streaming.kafka import Publisher, read_to_end
from headwater.streaming.kafka_connection import Connection
from headwater.topology import TOPICS


class LetterId(msgspec.Struct, frozen=True, order=True):
    """Where a dead letter lies in its dead-letter topic; written `topic:partition:offset`."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{self.topic}:{self.partition}:{self.offset}"

    @classmethod
    def parse(cls, text: str) -> "LetterId":
        """Raises ValueError."""
        topic, _, place = text.partition(":")
        partition, _, offset = place.partition(":")
        if topic not in {t.dead_letter for t in TOPICS.values()}:
            raise ValueError(f"{topic} is not a dead-letter topic; ids look like file-changed-dlq:0:17")
        return cls(topic, int(partition), int(offset))


class StoredLetter(msgspec.Struct, frozen=True):
    """A dead letter and its place."""

    id: LetterId
    letter: DeadLetter


def list_letters(connection: Connection, topics: Sequence[str] = ()) -> Iterator[StoredLetter]:
    """Every dead letter of these parent topics (all when none is named), oldest first in each partition.

    Raises KeyError for an unknown topic, KafkaUnavailableError.
    """
    parents = [TOPICS[name] for name in topics] or list(TOPICS.values())
    for message in read_to_end(connection, [topic.dead_letter for topic in parents]):
        place = LetterId(message.partition.topic, message.partition.number, message.offset)
        yield StoredLetter(place, DeadLetter.read(message))


def show_letter(connection: Connection, place: LetterId) -> StoredLetter | None:
    """The one at this place; None when there is none any more."""
    stored = list_letters(connection, [place.topic.removesuffix("-dlq")])
    return next((letter for letter in stored if letter.id == place), None)


def replay_letters(connection: Connection, places: Iterable[LetterId]) -> list[StoredLetter]:
    """Send these again to the topics they came from, and give those that were found.

    Stages are idempotent, so replaying one twice changes nothing. Raises DeliveryError, KafkaUnavailableError.
    """
    wanted = set(places)
    parents = sorted({place.topic.removesuffix("-dlq") for place in wanted})
    found = [stored for stored in list_letters(connection, parents) if stored.id in wanted] if wanted else []
    Publisher(connection).publish([stored.letter.original() for stored in found])
    return found
