"""Posting blocks are lists in other clothes, and BM25 counts only what is visible."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.stores.relational.postings import Bm25, pack, retain, size, split, unpack

postings = st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 400)), max_size=30)


def unpacked(block: bytes) -> list[tuple[int, int]]:
    ids, frequencies = unpack([block])
    return [(int(i), int(f)) for i, f in zip(ids, frequencies, strict=True)]


@given(postings, postings, st.integers(0, 40))
def test_blocks_behave_like_lists(one: list[tuple[int, int]], other: list[tuple[int, int]], at: int) -> None:
    capped = [(i, min(f, 255)) for i, f in one + other]
    block = pack(one) + pack(other)
    head, tail = split(block, at)
    assert unpacked(block) == capped
    assert (unpacked(head), unpacked(tail)) == (capped[:at], capped[at:])
    assert size(block) == len(capped)


def test_retain_drops_the_dead() -> None:
    alive = np.array([False, True, False, True])
    assert unpacked(retain(pack([(0, 5), (1, 6), (3, 7)]), alive)) == [(1, 6), (3, 7)]
    assert retain(pack([(0, 5)]), alive) == b""


def test_what_is_not_visible_changes_no_score() -> None:
    few = Bm25(np.array([0.0, 10.0, 20.0]))
    few.add([pack([(1, 2), (2, 1)])], 1)
    many = Bm25(np.array([0.0, 10.0, 20.0, 0.0, 0.0]))
    many.add([pack([(1, 2), (2, 1), (3, 9), (4, 9), (77, 9)])], 1)
    assert many.best(5) == few.best(5)
    assert [i for i, _ in sorted(few.best(5), key=lambda hit: -hit[1])] == [1, 2]


def test_best_keeps_all_that_tie_with_the_last() -> None:
    ranking = Bm25(np.full(6, 10.0))
    ranking.add([pack([(1, 9), (2, 1), (3, 1), (4, 1)])], 1)
    assert {i for i, _ in ranking.best(2)} == {1, 2, 3, 4}
    assert [i for i, _ in ranking.best(1)] == [1]
    with pytest.raises(IndexError):
        ranking.best(1)[1]
