"""A message set aside: where it came from, why, after how many attempts, and everything needed to send it again."""

import time

import msgspec

from headwater.streaming.codec import parent_topic
from headwater.streaming.message import Partition, Received, ToSend

_PREFIX = "dlq-"


class DeadLetter(msgspec.Struct, frozen=True):
    """`headers` are the message's own."""

    source: Partition
    offset: int
    stage: str
    reason: str
    attempts: int
    at: float  # epoch seconds
    key: bytes | None
    value: bytes | None
    headers: dict[str, bytes]

    @classmethod
    def of(cls, message: Received, reason: str, attempts: int, stage: str) -> "DeadLetter":
        return cls(
            message.partition,
            message.offset,
            stage,
            reason,
            attempts,
            time.time(),
            message.key,
            message.value,
            message.headers,
        )

    @classmethod
    def read(cls, message: Received) -> "DeadLetter":
        """From the dead-letter topic. Raises KeyError or ValueError when it isn't one of ours."""
        own = {k.removeprefix(_PREFIX): v.decode() for k, v in message.headers.items() if k.startswith(_PREFIX)}
        return cls(
            Partition(own["topic"], int(own["partition"])),
            int(own["offset"]),
            own["stage"],
            own["reason"],
            int(own["attempts"]),
            float(own["at"]),
            message.key,
            message.value,
            {k: v for k, v in message.headers.items() if not k.startswith(_PREFIX)},
        )

    def message(self) -> ToSend:
        """As written to the dead-letter topic of its parent."""
        own = {
            "topic": self.source.topic,
            "partition": self.source.number,
            "offset": self.offset,
            "stage": self.stage,
            "reason": self.reason,
            "attempts": self.attempts,
            "at": self.at,
        }
        added = tuple((f"{_PREFIX}{name}", str(value).encode()) for name, value in own.items())
        topic = parent_topic(self.source.topic).dead_letter
        return ToSend(topic, self.key, self.value, (*self.headers.items(), *added))

    def original(self) -> ToSend:
        """As it was, back to the topic it came from."""
        return ToSend(self.source.topic, self.key, self.value, tuple(self.headers.items()))
