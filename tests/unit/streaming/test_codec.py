"""Events as messages: strict decoding, lanes, headers."""

import pytest

from headwater.events import Heartbeat, IndexApplied, Lane
from headwater.events.index_applied import Index
from headwater.streaming.codec import decode_event, encode_event, event_headers, lane_of, parent_topic
from headwater.streaming.errors import InvalidEventError

APPLIED = IndexApplied(index=Index.VECTOR, repo="r", ref="x", generation=3, items=("a",), pushed_at=1.5, lane=Lane.BULK)


def test_an_event_survives() -> None:
    assert decode_event("index-applied", encode_event(APPLIED)) == APPLIED
    assert decode_event("index-applied-dlq", encode_event(APPLIED)) == APPLIED


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no value"),
        (b"", "not a valid event|not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"id": "a"}', "missing required field `sent_at`"),
        (b'{"id": "a", "sent_at": "1"}', "Expected `float`, got `str`"),
        (b'{"id": "a", "sent_at": 1, "colour": 2}', "unknown field `colour`"),
    ],
)
def test_f3_anything_else_is_invalid_with_its_reason(value: bytes | None, reason: str) -> None:
    with pytest.raises(InvalidEventError, match=reason):
        decode_event("heartbeat", value)


def test_names_give_parent_and_lane() -> None:
    assert parent_topic("file-changed-bulk").name == "file-changed"
    assert parent_topic("file-changed-dlq").name == "file-changed"
    assert lane_of("file-changed-bulk") is Lane.BULK
    assert lane_of("file-changed") is Lane.LIVE


def test_headers_carry_lane_push_time_and_trace() -> None:
    assert event_headers(APPLIED, "00-ab") == (("lane", b"bulk"), ("pushed_at", b"1.5"), ("traceparent", b"00-ab"))
    assert event_headers(Heartbeat(id="a", sent_at=1.0)) == (("lane", b"live"),)
