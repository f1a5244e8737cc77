"""Events as Kafka messages: strict JSON in the value, what intermediaries need in the headers."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from headwater.events import Event, Heartbeat, Lane
from headwater.streaming.errors import InvalidEventError
from headwater.topology import TOPICS, Topic
from headwater.tracing.spans import TRACE_PARENT, Push, is_on

Headers = tuple[tuple[str, bytes], ...]

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


def event_headers(event: Event, trace_parent: str = "") -> Headers:
    """The lane, the push's time where the event has one, and the W3C trace context where there is one."""
    headers = [(LANE, event.lane.value.encode())]
    pushed_at = getattr(event, PUSHED_AT, None)
    if pushed_at is not None:
        headers.append((PUSHED_AT, repr(float(pushed_at)).encode()))
    if trace_parent:
        headers.append((TRACE_PARENT, trace_parent.encode()))
    return tuple(headers)


def push_of(event: Event) -> Push:
    """What an event's trace is about; a heartbeat is about nothing that was pushed."""
    if isinstance(event, Heartbeat):
        return (event.id, "", event.sent_at)
    return (event.repo, event.ref, event.pushed_at)


def trace_parents(messages: Iterable[tuple[Event, Mapping[str, bytes]]]) -> dict[Push, str]:
    """The trace of each push in a batch, "" for one that has none yet; untraced pushes count only while tracing."""
    wanted = is_on()
    parents: dict[Push, str] = {}
    for event, headers in messages:
        if wanted or TRACE_PARENT in headers:
            parents.setdefault(push_of(event), headers.get(TRACE_PARENT, b"").decode("ascii", "replace"))
    return parents
