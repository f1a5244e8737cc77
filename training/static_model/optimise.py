"""The model in training: prior × projection + own part, term and field weights, symmetric InfoNCE, Adam; all numpy."""

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from batches import FIELDS, Bag

DIMENSIONS = 256
SCALE = 20.0
LEARNING_RATES = {"own": 1e-3, "projection": 5e-4, "scalars": 1e-2}

Floats = npt.NDArray[np.float32]


class Parameters(msgspec.Struct):
    prior: Floats  # (terms, any): fixed
    projection: Floats  # (any, DIMENSIONS): starts as the prior's principal axes
    own: Floats  # (terms, DIMENSIONS): starts at zero where the prior knows the term
    chunk_log: Floats  # (terms,): log term weights
    query_log: Floats
    field_log: Floats  # (FIELDS,)

    def vectors(self) -> Floats:
        return self.prior @ self.projection + self.own


def initial(prior: Floats, unit_counts: npt.NDArray[np.int64], units: int) -> Parameters:
    known = unit_counts > 0
    _, axes = np.linalg.eigh((prior[known].T @ prior[known]).astype(np.float64))
    idf = np.clip(np.log((units + 1) / (unit_counts + 0.5)), 0.3, 9) / 5
    log = np.log(idf).astype(np.float32)
    projection = axes[:, ::-1][:, :DIMENSIONS].astype(np.float32)
    own = np.zeros((len(prior), DIMENSIONS), np.float32)
    return Parameters(prior, projection, own, log, log.copy(), np.log(np.array([2, 1, 1.5, 1], np.float32)))


def mean(runs: Sequence[Parameters]) -> Parameters:
    """Runs from the same start lie in one basin: their mean is at least as good and varies less."""
    first, learned = runs[0], ("projection", "own", "chunk_log", "query_log", "field_log")
    averages = {name: np.mean([getattr(run, name) for run in runs], axis=0) for name in learned}
    return msgspec.structs.replace(first, **averages)


class Trainer:
    def __init__(self, parameters: Parameters) -> None:
        self.parameters = p = parameters
        self._own, self._projection = _Adam(p.own), _Adam(p.projection)
        self._chunk, self._query, self._field = _Adam(p.chunk_log), _Adam(p.query_log), _Adam(p.field_log)

    def step(self, questions: Bag, definitions: Bag, size: int, pace: float) -> float:
        """One update; returns the loss. Only the terms of the batch are touched."""
        p = self.parameters
        terms = np.unique(np.concatenate([questions.term, definitions.term]))
        vectors = p.prior[terms] @ p.projection + p.own[terms]
        q_local, d_local = np.searchsorted(terms, questions.term), np.searchsorted(terms, definitions.term)
        q_share = questions.value * np.exp(p.query_log[questions.term])
        d_share = definitions.value * np.exp(p.chunk_log[definitions.term] + p.field_log[definitions.field])
        q_matrix = sp.csr_matrix((q_share, (questions.owner, q_local)), (size, len(terms)))
        d_matrix = sp.csr_matrix((d_share, (definitions.owner, d_local)), (size, len(terms)))
        loss, q_grad, d_grad = _info_nce(q_matrix @ vectors, d_matrix @ vectors)
        v_grad = q_matrix.T @ q_grad + d_matrix.T @ d_grad
        q_log = np.einsum("ij,ij->i", q_grad[questions.owner], vectors[q_local]) * q_share
        d_log = np.einsum("ij,ij->i", d_grad[definitions.owner], vectors[d_local]) * d_share
        scalars = pace * LEARNING_RATES["scalars"]
        self._projection.step(p.prior[terms].T @ v_grad, pace * LEARNING_RATES["projection"])
        self._own.step(v_grad, pace * LEARNING_RATES["own"], terms)
        self._chunk.step(np.bincount(d_local, d_log, len(terms)), scalars, terms)
        self._query.step(np.bincount(q_local, q_log, len(terms)), scalars, terms)
        self._field.step(np.bincount(definitions.field, d_log, len(FIELDS)), scalars)
        return loss


def _info_nce(questions: Floats, definitions: Floats) -> tuple[float, Floats, Floats]:
    """Loss and gradients by the unnormalised sums; row i of one belongs to row i of the other."""
    q, q_norm = unit_rows(questions)
    d, d_norm = unit_rows(definitions)
    similar = SCALE * (q @ d.T)
    by_question, by_definition = _softmax(similar, 1), _softmax(similar, 0)
    loss = -float(np.log(by_question.diagonal() * by_definition.diagonal() + 1e-18).mean()) / 2
    grad = (by_question + by_definition) / 2
    grad[np.diag_indices(len(grad))] -= 1
    grad *= SCALE / len(grad)
    q_grad, d_grad = grad @ d, grad.T @ q
    return loss, _through_norm(q_grad, q, q_norm), _through_norm(d_grad, d, d_norm)


def unit_rows(rows: Floats) -> tuple[Floats, Floats]:
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True)) + 1e-6
    return rows / norms, norms


def _through_norm(grad: Floats, unit: Floats, norm: Floats) -> Floats:
    return (grad - (grad * unit).sum(axis=1, keepdims=True) * unit) / norm


def _softmax(scores: Floats, axis: int) -> Floats:
    exp = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


class _Adam:
    """Adam on all or some rows of one array, in place; untouched rows keep their moments."""

    def __init__(self, values: Floats) -> None:
        self._values, self._steps = values, 0
        self._first, self._second = np.zeros_like(values), np.zeros_like(values)

    def step(self, grad: npt.NDArray[np.floating], rate: float, rows: npt.NDArray[np.int64] | None = None) -> None:
        self._steps += 1
        at = slice(None) if rows is None else rows
        grad = grad.astype(np.float32)
        first = self._first[at] + 0.1 * (grad - self._first[at])
        second = self._second[at] + 0.01 * (grad * grad - self._second[at])
        self._first[at], self._second[at] = first, second
        corrected = np.sqrt(second / (1 - 0.99**self._steps)) + 1e-8
        self._values[at] -= rate * first / (1 - 0.9**self._steps) / corrected
