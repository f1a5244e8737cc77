"""Weighted reciprocal rank fusion."""

import pytest

from headwater.domain.answer import QueryKind
from headwater.query.fusion import WEIGHTS, K, fuse_ranks


def test_scores_add_up() -> None:
    fused = fuse_ranks({"vector": ["a", "b"], "lexical": ["b"]}, {"vector": 1.0, "lexical": 0.5})
    assert fused["a"].score == pytest.approx(1 / (K + 1))
    assert fused["b"].score == pytest.approx(1 / (K + 2) + 0.5 / (K + 1))
    assert fused["b"].retrievers == ("vector", "lexical")


def test_a_key_counts_once_in_a_retriever_at_its_best_rank() -> None:
    fused = fuse_ranks({"vector": ["a", "a", "b"]}, {"vector": 1.0})
    assert fused["b"].score == pytest.approx(1 / (K + 2))


def test_every_kind_that_is_fused_has_weights() -> None:
    assert {QueryKind.NATURAL_LANGUAGE, QueryKind.MIXED} <= WEIGHTS.keys()
