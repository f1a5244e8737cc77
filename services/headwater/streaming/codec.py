"""Events as Kafka messages: strict JSON in the value, what intermediaries need in the headers."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from headwater.events import Event, Lane
from headwater.streaming.errors import InvalidEventError
from headwater.topology import TOPICS, Topic

Headers = tuple[tuple[str, bytes], ...]

TRACE_PARENT = "traceparent"
LANE = "lane"
PUSHED_AT = "pushed_at"
BULK_SUFFIX = "-bulk"
DEAD_LETTER_SUFFIX = "-dlq"

_encoder = msgspec.json.Encoder()


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


def decode_event(topic: str, value: bytes | None) -> Event:
    """`topic` may be a live, bulk or dead-letter topic. Raises InvalidEventError with what is wrong and where."""
    if value is None:
        raise InvalidEventError("the message has no value")
    try:
        event: Event = _decoder(parent_topic(topic).name).decode(value)
    except msgspec.ValidationError as wrong:
        raise InvalidEventError(f"not a valid event: {wrong}") from wrong
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise InvalidEventError(f"not JSON: {wrong}") from wrong
    return event


@cache
def _decoder(name: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(TOPICS[name].event, strict=True)


def parent_topic(topic: str) -> Topic:
    """The declared topic that a live, bulk or dead-letter topic's name belongs to. Raises KeyError."""
    return TOPICS[topic.removesuffix(DEAD_LETTER_SUFFIX).removesuffix(BULK_SUFFIX)]


def lane_of(topic: str) -> Lane:
    return Lane.BULK if topic.endswith(BULK_SUFFIX) else Lane.LIVE


def event_headers(event: Event, trace_parent: str | None = None) -> Headers:
    """The lane, the push's time where the event has one, and the W3C trace context where there is one."""
    headers = [(LANE, event.lane.value.encode())]
    pushed_at = getattr(event, PUSHED_AT, None)
    if pushed_at is not None:
        headers.append((PUSHED_AT, repr(float(pushed_at)).encode()))
    if trace_parent is not None:
        headers.append((TRACE_PARENT, trace_parent.encode()))
    return tuple(headers)


def shared_trace_parent(messages: Iterable[Mapping[str, bytes]]) -> str | None:
    """The trace that all these headers belong to; a batch of several traces has no single parent."""
    found = {headers.get(TRACE_PARENT) for headers in messages}
    only = found.pop() if len(found) == 1 else None
    return None if only is None else only.decode("ascii", "replace")
