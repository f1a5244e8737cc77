"""Ranking metrics, against figures worked out by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.evaluation.golden import Span
from headwater.evaluation.metrics import is_hit, percentile, rank_all, rank_any


def span(path: str, start: int, end: int) -> Span:
    return Span(path, start, end)


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        (span("a", 10, 12), True),
        (span("a", 5, 10), True),  # overlaps in one line
        (span("a", 1, 9), False),  # ends before
        (span("b", 10, 12), False),
        (span("a", 1, 13), True),  # ten lines more than the span's three
        (span("a", 1, 14), False),
    ],
)
def test_a_hit_overlaps_and_is_not_several_times_the_size(answer: Span, hit: bool) -> None:
    assert is_hit(answer, span("a", 10, 12)) is hit


def test_large_spans_may_be_answered_three_times_as_large() -> None:
    assert is_hit(span("a", 1, 300), span("a", 1, 100))
    assert not is_hit(span("a", 1, 301), span("a", 1, 100))


def test_alternatives_count_once_at_the_first_hit() -> None:
    answers = [span("x", 1, 1), span("a", 1, 2), span("b", 1, 2)]
    ranking = rank_any(answers, [span("b", 1, 2), span("a", 1, 2)])
    assert (ranking.recall_1, ranking.recall_5, ranking.recall_10) == (0.0, 1.0, 1.0)
    assert ranking.mrr_10 == 1 / 2
    assert ranking.ndcg_10 == 1 / log2(3)


def test_all_expected_spans_are_wanted() -> None:
    wanted = [span("a", 1, 2), span("b", 1, 2), span("c", 1, 2)]
    answers = [wanted[0], span("x", 1, 1), wanted[1]]
    ranking = rank_all(answers, wanted)
    assert ranking.recall_1 == 1.0
    assert ranking.recall_10 == 2 / 3
    assert ranking.mrr_10 == 1.0
    assert ranking.ndcg_10 == pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4)))


def test_no_answer_scores_nothing() -> None:
    for rank in (rank_any, rank_all):
        ranking = rank([], [span("a", 1, 1)])
        assert (ranking.recall_10, ranking.mrr_10, ranking.ndcg_10) == (0.0, 0.0, 0.0)


@given(st.lists(st.integers(1, 30), max_size=20), st.lists(st.integers(1, 30), min_size=1, max_size=12, unique=True))
def test_figures_stay_between_nothing_and_everything(answers: list[int], wanted: list[int]) -> None:
    ranking = rank_all([span("a", 20 * a, 20 * a) for a in answers], [span("a", 20 * w, 20 * w) for w in wanted])
    assert 0.0 <= ranking.recall_1 <= 1.0
    assert 0.0 <= ranking.recall_5 <= 1.0
    assert 0.0 <= ranking.ndcg_10 <= 1.0 + 1e-9


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([], 0.5) == 0.0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(i) for i in range(1, 101)], 0.95) == 95.0
