"""Fits what ranks candidates: linear weights of their features, and the map that brings questions near their answers.

Both are convex: softmax over each question's candidates, the sum over its answers, and squared penalties.
"""

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Floats = npt.NDArray[np.float32]
Hits = npt.NDArray[np.bool_]

WEIGHTS_PENALTY, MAP_PENALTY = 0.03, 0.0003
WEIGHTS_STEPS, MAP_STEPS = 300, 60
MAP_SHARE = 0.1  # of the fitted map in a question's vector: the rest is the vector as it was


class Asked(msgspec.Struct):
    """A question with what the product gave its reranker: features and vectors of candidates, and which answer."""

    features: Floats
    hits: Hits
    question: Floats  # unit vector
    candidates: Floats  # unit vectors


def fit_weights(asked: Sequence[Asked]) -> Floats:
    """Weights of the features as they are."""
    scale = scale_of(asked)
    rows = np.concatenate([a.features for a in asked if a.hits.any()]) / scale
    softmax = _Softmax(asked)

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        value, grad = softmax(rows @ weights.astype(np.float32))
        penalty = WEIGHTS_PENALTY * float(weights @ weights)
        return value + penalty, rows.T @ grad + 2 * WEIGHTS_PENALTY * weights

    return _minimum(loss, rows.shape[1], WEIGHTS_STEPS) / scale


def fit_map(asked: Sequence[Asked]) -> Floats:
    """The square matrix by which question vectors are multiplied.

    It is fitted as question · matrix · candidate beside the features, so that it learns what they lack.
    """
    used = [a for a in asked if a.hits.any()]
    rows = np.concatenate([a.features for a in used]) / scale_of(asked)
    questions, candidates = np.stack([a.question for a in used]), np.concatenate([a.candidates for a in used])
    softmax, width, size = _Softmax(asked), rows.shape[1], questions.shape[1]

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        weights, matrix = flat[:width].astype(np.float32), flat[width:].reshape(size, size).astype(np.float32)
        mapped = np.einsum("ij,ij->i", (questions @ matrix)[softmax.owner], candidates)
        value, grad = softmax(rows @ weights + mapped)
        towards = questions.T @ np.add.reduceat(grad[:, None] * candidates, softmax.starts)
        penalty = WEIGHTS_PENALTY * float(weights @ weights) + MAP_PENALTY * float((matrix * matrix).sum())
        by_weight = rows.T @ grad + 2 * WEIGHTS_PENALTY * weights
        by_matrix = towards + 2 * MAP_PENALTY * matrix
        return value + penalty, np.concatenate([by_weight, by_matrix.ravel()]).astype(np.float64)

    learnt = _minimum(loss, width + size * size, MAP_STEPS)[width:].reshape(size, size)
    return np.eye(size, dtype=np.float32) + np.float32(MAP_SHARE) * learnt


def scale_of(asked: Sequence[Asked]) -> Floats:
    """Deviation of each feature: penalties mean the same for all."""
    deviation: Floats = np.concatenate([a.features for a in asked]).std(axis=0) + np.float32(1e-6)
    return deviation


def _minimum(loss: object, size: int, steps: int) -> Floats:
    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    solution: Floats = found.x.astype(np.float32)
    return solution


class _Softmax:
    """Loss and its gradient by score, for the candidates of those questions that have an answer among them."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        used = [a.hits for a in asked if a.hits.any()]
        sizes = [len(hits) for hits in used]
        self._answers = np.concatenate(used).astype(np.float32)
        self._count = len(used)
        self.owner = np.repeat(np.arange(len(used)), sizes)
        self.starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))

    def __call__(self, scores: Floats) -> tuple[float, Floats]:
        exp = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.owner])
        total = np.add.reduceat(exp, self.starts)
        good = np.add.reduceat(exp * self._answers, self.starts) + np.float32(1e-12)
        grad: Floats = (exp / total[self.owner] - exp * self._answers / good[self.owner]) / np.float32(self._count)
        return float(np.log(total / good).mean()), grad
