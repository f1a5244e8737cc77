"""What becomes of a batch: handled, dead letter, again later, or not now. Runners only carry it out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from headwater.events import Event
from headwater.streaming.codec import decode_event, encode_event, event_headers, push_of, trace_parents
from headwater.streaming.dead_letter import DeadLetter
from headwater.streaming.errors import InvalidEventError, NotNowError, RetryableError
from headwater.streaming.message import Partition, Received, ToSend
from headwater.streaming.probe import answer, is_probe
from headwater.streaming.stage import Outgoing, Stage
from headwater.topology import TOPICS
from headwater.tracing import names, spans
from headwater.tracing.spans import Push

MAX_MESSAGE_BYTES = 8 * 1024 * 1024


class Policy(msgspec.Struct, frozen=True):
    """When a retried event is looked at alone, and when it is given up."""

    isolate_after: int = 3  # failures of a whole batch before its events are tried one by one
    attempts: int = 40  # failures of one event before it becomes a dead letter
    max_message_bytes: int = MAX_MESSAGE_BYTES


class Settlement(msgspec.Struct):
    """`send` follows from the events up to `offsets`; both take effect together. `again` and `not_now` come later."""

    send: list[ToSend] = msgspec.field(default_factory=list)
    dead: list[DeadLetter] = msgspec.field(default_factory=list)
    offsets: dict[Partition, int] = msgspec.field(default_factory=dict)  # next to read, past what is done
    again: dict[Partition, tuple[int, str]] = msgspec.field(default_factory=dict)  # first offset to retry, and why
    not_now: str = ""
    rest: dict[Partition, int] = msgspec.field(default_factory=dict)  # first offset not taken because of `not_now`


class _Valid(msgspec.Struct, frozen=True):
    message: Received
    event: Event


def settle(
    stage: Stage[Any], batch: Sequence[Received], failures: Mapping[Partition, tuple[int, int]], policy: Policy
) -> Settlement:
    """Hand the batch to the stage and sort the outcome. Whatever the stage raises beyond the three errors passes.

    `failures` has, per partition, the offset that failed last and how often it did.
    """
    work = _Work(stage, failures, policy)
    for message in batch:
        work.take(message)
    work.handle_all()
    return work.result


class _Work:
    def __init__(self, stage: Stage[Any], failures: Mapping[Partition, tuple[int, int]], policy: Policy) -> None:
        self._stage, self._failures, self._policy = stage, failures, policy
        self._valid: list[_Valid] = []
        self._invalid: dict[tuple[Partition, int], str] = {}
        self._order: list[Received] = []
        self.result = Settlement()

    def take(self, message: Received) -> None:
        self._order.append(message)
        if is_probe(message):
            return
        try:
            self._valid.append(_Valid(message, decode_event(message.partition.topic, message.value)))
        except InvalidEventError as error:
            self._invalid[message.partition, message.offset] = str(error)

    def handle_all(self) -> None:
        try:
            sent = self._sent(self._valid)
        except InvalidEventError as error:
            self._one_by_one(error)
        except RetryableError as error:
            if any(self._count(m) >= self._policy.isolate_after for m in self._order):
                self._one_by_one(error)
                return
            self._defer_all(str(error))
        except NotNowError as error:
            self._stop(self._order, str(error))
        else:
            self.result.send += sent
            for message in self._order:
                self._finish(message)

    def _sent(self, valid: Sequence[_Valid]) -> list[ToSend]:
        if not valid:
            return []
        parents = trace_parents((v.event, v.message.headers) for v in valid)
        name, source = self._stage.name, valid[0].message.partition.topic
        with spans.batch(f"process {name}", parents, names.consumed(name, source, len(valid))) as onward:
            outgoing = list(self._stage.handle([v.event for v in valid]))
        return encode_outgoing(outgoing, onward, self._policy.max_message_bytes)

    def _one_by_one(self, error: Exception) -> None:
        events = {(v.message.partition, v.message.offset): v for v in self._valid}
        for position, message in enumerate(self._order):
            if message.partition in self.result.again:
                continue
            valid = events.get((message.partition, message.offset))
            try:
                sent = self._sent([valid] if valid else [])
            except InvalidEventError as invalid:
                self._set_aside(message, str(invalid))
            except RetryableError as retryable:
                self._retry(message, str(retryable))
            except NotNowError as not_now:
                self._stop(self._order[position:], str(not_now))
                return
            else:
                self.result.send += sent
                self._finish(message)

    def _retry(self, message: Received, reason: str) -> None:
        failed = self._count(message) + 1
        if failed >= self._policy.attempts:
            self._set_aside(message, f"given up after {failed} attempts: {reason}")
            return
        self.result.again[message.partition] = (message.offset, reason)

    def _defer_all(self, reason: str) -> None:
        for message in self._order:
            self.result.again.setdefault(message.partition, (message.offset, reason))

    def _stop(self, messages: Iterable[Received], reason: str) -> None:
        self.result.not_now = reason
        for message in messages:
            if message.partition not in self.result.again:
                self.result.rest.setdefault(message.partition, message.offset)

    def _finish(self, message: Received) -> None:
        reason = self._invalid.get((message.partition, message.offset))
        if reason is not None:
            self._set_aside(message, reason)
            return
        if is_probe(message):
            self.result.send.append(answer(message, self._stage.name))
        self.result.offsets[message.partition] = message.offset + 1

    def _set_aside(self, message: Received, reason: str) -> None:
        self.result.dead.append(DeadLetter.of(message, reason, self._count(message) + 1, self._stage.name))
        self.result.offsets[message.partition] = message.offset + 1

    def _count(self, message: Received) -> int:
        offset, count = self._failures.get(message.partition, (-1, 0))
        return count if offset == message.offset else 0


def encode_outgoing(
    outgoing: Iterable[Outgoing],
    onward: Mapping[Push, str],
    max_bytes: int,
    encode: Callable[[Event], bytes] = encode_event,
) -> list[ToSend]:
    """The lane's topic, the key and the value of each, and its push's trace.

    Raises InvalidEventError for one over `max_bytes`.
    """
    messages = []
    for message in outgoing:
        value = encode(message.event)
        if len(value) > max_bytes:
            raise InvalidEventError(f"{message.topic} of {len(value)} bytes is over the limit of {max_bytes}")
        topic = TOPICS[message.topic].lane(message.event.lane)
        trace = onward.get(push_of(message.event), "") if onward else ""
        messages.append(ToSend(topic, message.key.encode(), value, event_headers(message.event, trace)))
    return messages
