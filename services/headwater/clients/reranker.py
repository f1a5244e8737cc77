"""A second look at the best candidates of a natural-language question: a linear model of late-interaction features."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from headwater.clients.rerank_features import FEATURES, Candidate, feature_matrix
from headwater.clients.static_model import WEIGHTS, StaticModel


class StaticReranker:
    """Needs no server: it reads the static model's term vectors, the retrievers' scores and the shape of the chunk."""

    def __init__(self, model: StaticModel, weights: Path = WEIGHTS / "reranker.json") -> None:
        """Raises LookupError when the weights are of other features."""
        by_feature = msgspec.json.decode(weights.read_bytes(), type=dict[str, float])
        if set(by_feature) != set(FEATURES):
            raise LookupError(f"{weights.name} is of other features: train it again with training/static_model")
        self._model = model
        self._weights = np.array([by_feature[name] for name in FEATURES], np.float32)

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        """A score for each candidate, higher is better. Takes milliseconds, so the timeout is not watched."""
        if not candidates:
            return []
        scores: list[float] = (feature_matrix(self._model, query, candidates) @ self._weights).tolist()
        return scores
