"""Hands ref updates to Kafka: returns only when the broker has confirmed them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from headwater.events import CommitReceived
from headwater.metrics import METRICS, Metrics
from headwater.streaming.codec import trace_parents
from headwater.streaming.message import ToSend
from headwater.streaming.settlement import encode_outgoing
from headwater.streaming.stage import Outgoing
from headwater.topology import COMMIT_RECEIVED
from headwater.tracing import names, spans

MAX_EVENT_BYTES = 1 << 20  # the topic's own limit (schemas/topics)


class MessageSink(Protocol):
    """`streaming.kafka.Publisher`."""

    def publish(self, messages: Sequence[ToSend]) -> None:
        """Returns when every message is durable. Raises DeliveryError."""
        ...


class RefUpdates:
    """Safe to use from several threads."""

    def __init__(self, sink: MessageSink, metrics: Metrics = METRICS, max_bytes: int = MAX_EVENT_BYTES) -> None:
        self._sink, self._metrics, self._max_bytes = sink, metrics, max_bytes

    def publish(self, events: Sequence[CommitReceived]) -> None:
        """Raises InvalidEventError for an event that is too large, DeliveryError when the broker doesn't confirm."""
        outgoing = [Outgoing(COMMIT_RECEIVED.name, f"{e.repo}\0{e.ref}", e) for e in events]
        pushes = trace_parents((event, {}) for event in events)
        try:
            with spans.batch(names.PUSH, pushes, names.sent(COMMIT_RECEIVED.name)) as onward:
                self._sink.publish(encode_outgoing(outgoing, onward, self._max_bytes))
        except Exception:
            self._count(events, "failed")
            raise
        self._count(events, "sent")

    def _count(self, events: Sequence[CommitReceived], outcome: str) -> None:
        for event in events:
            self._metrics.count("headwater_commit_ingest_commits_total", cause=event.cause, outcome=outcome)


Publish = Callable[[Sequence[CommitReceived]], None]
