"""Messages as every Kafka client of ours sees them, whichever library reads or writes them."""

from typing import NamedTuple

import msgspec


class Partition(NamedTuple):
    """One partition of one topic."""

    topic: str
    number: int


class Received(msgspec.Struct, frozen=True, gc=False):
    """A message read from a topic."""

    partition: Partition
    offset: int
    key: bytes | None
    value: bytes | None
    headers: dict[str, bytes]


class ToSend(msgspec.Struct, frozen=True, gc=False):
    """A message to be written; `topic` is the real topic's name with its lane. A partition of -1 goes by the key."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()
    partition: int = -1
