"""Heartbeat ages by stage and partition."""

import msgspec

from headwater.events import Heartbeat, Lane
from headwater.streaming.board import Board, Place
from headwater.streaming.probe import probed_topics

COUNTS = dict.fromkeys(probed_topics(), 2)
CHUNKER = Place("ast-chunker", Lane.BULK, "file-changed-bulk", 1)


def answered(sent_at: float) -> Heartbeat:
    return Heartbeat(id="file-changed-bulk/1", sent_at=sent_at, partition=1, lane=Lane.BULK)


def test_a_place_that_never_answered_is_as_old_as_the_board() -> None:
    board = Board(COUNTS, 100.0)
    assert set(board.ages(103.0).values()) == {3.0}
    assert len(board.ages(103.0)) == 2 * len(COUNTS)


def test_the_newest_answer_counts_in_whatever_order_they_come() -> None:
    board = Board(COUNTS, 100.0)
    board.note([answered(120.0), answered(110.0), answered(120.0)], 125.0)
    assert board.ages(125.0)[CHUNKER] == 5.0
    assert board.watermark() == 100.0


def test_unknown_places_and_clocks_that_ran_ahead_are_no_news() -> None:
    board = Board(COUNTS, 100.0)
    board.note([answered(4_000.0), msgspec.structs.replace(answered(110.0), id="gone/7")], 125.0)
    assert board.ages(125.0)[CHUNKER] == 25.0
