"""What becomes of a batch, for every mixture of outcomes."""

from collections.abc import Callable, Iterable, Sequence

import pytest

from headwater.events import ChunkChanged, Heartbeat
from headwater.streaming.codec import encode_event
from headwater.streaming.errors import InvalidEventError, NotNowError, RetryableError
from headwater.streaming.message import Partition, Received
from headwater.streaming.settlement import Policy, Settlement, encode_outgoing, settle
from headwater.streaming.stage import Outgoing

A, B = Partition("heartbeat", 0), Partition("heartbeat", 1)
POLICY = Policy(isolate_after=3, attempts=5, max_message_bytes=500)
TRACE = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def message(partition: Partition, offset: int, value: bytes | None = None, trace: bytes | None = None) -> Received:
    event = Heartbeat(id=f"{partition.number}.{offset}", sent_at=1.0)
    headers = {"traceparent": trace} if trace else {}
    return Received(partition, offset, b"k", encode_event(event) if value is None else value, headers)


class Echo:
    """Forwards each event; `fault` may raise for one."""

    name = "reconciler"

    def __init__(self, fault: Callable[[str], None] = lambda _id: None) -> None:
        self._fault = fault
        self.calls: list[list[str]] = []

    def handle(self, batch: Sequence[Heartbeat]) -> Iterable[Outgoing]:
        self.calls.append([e.id for e in batch])
        for event in batch:
            self._fault(event.id)
            yield Outgoing("heartbeat", event.id, event)


def failing(error: Exception, *ids: str) -> Callable[[str], None]:
    def fault(event_id: str) -> None:
        if event_id in ids:
            raise error

    return fault


BATCH = [message(A, 5), message(B, 9), message(A, 6), message(B, 10)]


def settled(
    fault: Callable[[str], None],
    batch: Sequence[Received] = BATCH,
    failures: dict[Partition, tuple[int, int]] | None = None,
) -> Settlement:
    return settle(Echo(fault), batch, failures or {}, POLICY)


def test_a_good_batch_is_handled_in_one_call_and_advances_every_partition() -> None:
    stage = Echo()
    result = settle(stage, BATCH, {}, POLICY)
    assert len(stage.calls) == 1
    assert result.offsets == {A: 7, B: 11}
    assert [m.key for m in result.send] == [b"0.5", b"1.9", b"0.6", b"1.10"]
    assert not result.dead


def test_f3_a_wrong_typed_event_is_set_aside_and_the_rest_is_handled() -> None:
    batch = [message(A, 5), message(A, 6, b'{"id": 7, "sent_at": 1.0}'), message(A, 7)]
    result = settled(lambda _id: None, batch)
    assert [(d.offset, d.reason) for d in result.dead] == [
        (6, "not a valid event: Expected `str`, got `int` - at `$.id`")
    ]
    assert result.offsets == {A: 8}
    assert len(result.send) == 2


def test_an_invalid_event_is_found_among_good_ones() -> None:
    result = settled(failing(InvalidEventError("never"), "1.9"))
    assert [(d.source, d.offset, d.attempts) for d in result.dead] == [(B, 9, 1)]
    assert result.offsets == {A: 7, B: 11}
    assert len(result.send) == 3


def test_a_retryable_error_defers_the_whole_batch_at_first() -> None:
    result = settled(failing(RetryableError("later"), "1.9"))
    assert result.again == {A: (5, "later"), B: (9, "later")}
    assert not result.offsets
    assert not result.send


def test_after_some_failures_only_the_failing_partition_waits() -> None:
    result = settled(failing(RetryableError("later"), "1.9"), failures={A: (5, 3), B: (9, 3)})
    assert result.offsets == {A: 7}
    assert result.again == {B: (9, "later")}
    assert len(result.send) == 2


def test_f9_sizes_are_measured_in_bytes_not_in_characters() -> None:
    """200 characters, 600 bytes."""
    chunk = ChunkChanged(
        repo="r", ref="x", generation=1, content_hash="0" * 32, path="a.py", text="水" * 200, pushed_at=1.0
    )
    outgoing = [Outgoing("chunk-changed", "k", chunk)]
    size = len(encode_event(chunk))
    assert size > 600
    assert len(encode_outgoing(outgoing, {}, size)) == 1
    with pytest.raises(InvalidEventError, match=f"of {size} bytes is over the limit of {size - 1}"):
        encode_outgoing(outgoing, {}, size - 1)


def test_f1_attempts_are_capped_and_then_the_event_is_parked() -> None:
    result = settled(failing(RetryableError("later"), "1.9"), failures={B: (9, 4)})
    assert [(d.offset, d.reason, d.attempts) for d in result.dead] == [(9, "given up after 5 attempts: later", 5)]
    assert result.offsets == {A: 7, B: 11}


def test_not_now_keeps_everything_and_counts_no_attempt() -> None:
    result = settled(failing(NotNowError("full"), "0.5"))
    assert result.not_now == "full"
    assert result.rest == {A: 5, B: 9}
    assert not result.again
    assert not result.offsets


def test_not_now_among_single_events_keeps_what_was_done_before() -> None:
    def fault(event_id: str) -> None:
        if event_id == "0.5":
            raise InvalidEventError("never")
        if event_id == "0.6":
            raise NotNowError("full")

    result = settled(fault)
    assert result.offsets == {A: 6, B: 10}
    assert result.rest == {A: 6, B: 10}


def test_an_output_over_the_limit_makes_its_event_a_dead_letter() -> None:
    big = Heartbeat(id="x" * 600, sent_at=1.0)
    result = settled(lambda _id: None, [Received(A, 1, None, encode_event(big), {}), message(A, 2)])
    assert [d.offset for d in result.dead] == [1]
    assert "over the limit of 500" in result.dead[0].reason
    assert len(result.send) == 1


def test_a_message_without_value_is_a_dead_letter() -> None:
    result = settled(lambda _id: None, [Received(A, 1, b"k", None, {})])
    assert result.dead[0].reason == "the message has no value"
    assert result.offsets == {A: 2}


def test_outputs_go_on_in_the_trace_of_their_own_push() -> None:
    one = settled(lambda _id: None, [message(A, 1, trace=TRACE), message(A, 2, trace=TRACE)])
    assert [dict(m.headers).get("traceparent") for m in one.send] == [TRACE, TRACE]
    two = settled(lambda _id: None, [message(A, 1, trace=TRACE), message(A, 2)])
    assert [dict(m.headers).get("traceparent") for m in two.send] == [TRACE, None]
