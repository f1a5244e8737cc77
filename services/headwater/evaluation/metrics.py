"""Ranking metrics over one question's answers, and their means; pure functions of ranks."""

from collections.abc import Sequence
from math import ceil, log2

import msgspec

from headwater.evaluation.golden import Span

DEPTH = 10
_SIZE_FACTOR = 3  # an answer may be three times as long as the span it hits …
_SIZE_SLACK = 10  # … or ten lines longer, whichever is more


class Ranking(msgspec.Struct, frozen=True):
    """One question's figures, each in 0..1."""

    recall_1: float
    recall_5: float
    recall_10: float
    mrr_10: float
    ndcg_10: float


def is_hit(answer: Span, expected: Span) -> bool:
    """Same path, lines overlap, and the answer isn't several times the size of the expected span."""
    if answer.path != expected.path:
        return False
    if answer.end_line < expected.start_line or expected.end_line < answer.start_line:
        return False
    wanted = expected.end_line - expected.start_line + 1
    given = answer.end_line - answer.start_line + 1
    return given <= max(_SIZE_FACTOR * wanted, wanted + _SIZE_SLACK)


def rank_any(answers: Sequence[Span], expected: Sequence[Span]) -> Ranking:
    """For natural language: the expected spans are alternatives, the first one found counts."""
    first = next((i for i, a in enumerate(answers[:DEPTH]) if any(is_hit(a, e) for e in expected)), None)
    if first is None:
        return Ranking(0.0, 0.0, 0.0, 0.0, 0.0)
    return Ranking(float(first < 1), float(first < 5), 1.0, 1 / (first + 1), 1 / log2(first + 2))


def rank_all(answers: Sequence[Span], expected: Sequence[Span]) -> Ranking:
    """For identifiers: every expected span is wanted; recall@k is the share of the min(k, n) that could be found."""
    found_at = _ranks_of_new(answers[:DEPTH], expected)
    first = found_at[0] if found_at else None
    return Ranking(
        _share(found_at, expected, 1),
        _share(found_at, expected, 5),
        _share(found_at, expected, DEPTH),
        0.0 if first is None else 1 / (first + 1),
        sum(1 / log2(r + 2) for r in found_at) / sum(1 / log2(r + 2) for r in range(min(DEPTH, len(expected)))),
    )


def _ranks_of_new(answers: Sequence[Span], expected: Sequence[Span]) -> list[int]:
    """The rank of each expected span's first hit, ascending; one answer may show several of them."""
    ranks = (next((i for i, a in enumerate(answers) if is_hit(a, e)), None) for e in expected)
    return sorted(r for r in ranks if r is not None)


def _share(found_at: Sequence[int], expected: Sequence[Span], k: int) -> float:
    possible = min(k, len(expected))
    return min(possible, sum(r < k for r in found_at)) / possible


def percentile(values: Sequence[float], share: float) -> float:
    """Nearest-rank percentile; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
