"""Fits the reranker on golden questions and says by cross-validation what it gives; trains nothing else on them."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from served import served

from headwater.clients.rerank_features import FEATURES, feature_matrix
from headwater.clients.static_model import WEIGHTS, StaticModel
from headwater.evaluation.corpora import read_corpora
from headwater.evaluation.golden import Retrieval, read_golden

Floats = npt.NDArray[np.float64]
Hits = npt.NDArray[np.bool_]
Ranks = list[list[int]]  # of each question's first answer, once a repeat
FOLDS, REPEATS = 8, 5
PENALTY = 0.03
MISSED = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--golden", type=Path, required=True, help="folder with nl_open.jsonl and corpora.json")
    parser.add_argument("--home", type=Path, required=True, help="the index that 'headwater eval --home HOME' keeps")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    model = StaticModel(options.weights)
    questions = read_golden([options.golden / "nl_open.jsonl"]).retrieval
    features, hits = [], []
    for question, (candidates, answers) in zip(
        questions, served(options.home, questions, read_corpora(options.golden / "corpora.json")), strict=True
    ):
        features.append(feature_matrix(model, question.query, candidates).astype(np.float64))
        hits.append(np.array(answers))
    scale = np.concatenate(features).std(axis=0) + 1e-6
    scaled = [f / scale for f in features]
    weights = fit(scaled, hits)
    figures = {
        "fused": _summary(questions, [[_rank(-np.arange(len(h)), h)] for h in hits]),
        "reranked, each corpus by weights of the others": _summary(
            questions, _leave_corpora_out(questions, scaled, hits)
        ),
        f"reranked, {FOLDS}-fold x {REPEATS}": _summary(questions, _cross_validate(scaled, hits)),
        "reranked, in sample": _summary(
            questions, [[_rank(f @ weights, h)] for f, h in zip(scaled, hits, strict=True)]
        ),
    }
    rounded = {name: round(float(w), 5) for name, w in zip(FEATURES, weights / scale, strict=True)}
    (options.weights / "reranker.json").write_text(json.dumps(rounded, indent=2) + "\n")
    (options.weights / "reranker_figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


def fit(features: Sequence[Floats], hits: Sequence[Hits]) -> Floats:
    """Weights of the linear score: softmax over each question's candidates, the sum over its answers, L2."""
    used = [i for i, h in enumerate(hits) if h.any()]
    rows, answers = np.concatenate([features[i] for i in used]), np.concatenate([hits[i] for i in used]).astype(float)
    sizes = [len(hits[i]) for i in used]
    owner, starts = np.repeat(np.arange(len(used)), sizes), np.concatenate(([0], np.cumsum(sizes)[:-1]))

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows @ weights
        exp = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        total, good = np.add.reduceat(exp, starts), np.add.reduceat(exp * answers, starts) + 1e-12
        grad = rows.T @ (exp / total[owner] - exp * answers / good[owner]) / len(used)
        value = float(np.log(total / good).mean())
        return value + PENALTY * float(weights @ weights), grad + 2 * PENALTY * weights

    start = np.zeros(rows.shape[1])
    solution: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return solution


def _leave_corpora_out(questions: Sequence[Retrieval], features: Sequence[Floats], hits: Sequence[Hits]) -> Ranks:
    """Each question's rank under weights that saw no question on its corpus."""
    ranks: Ranks = [[] for _ in features]
    for corpus in {q.corpus for q in questions}:
        others = [i for i, q in enumerate(questions) if q.corpus != corpus]
        weights = fit([features[i] for i in others], [hits[i] for i in others])
        for i in set(range(len(features))) - set(others):
            ranks[i].append(_rank(features[i] @ weights, hits[i]))
    return ranks


def _cross_validate(features: Sequence[Floats], hits: Sequence[Hits]) -> Ranks:
    """Each question's rank under weights that never saw it, once a repeat."""
    ranks: Ranks = [[] for _ in features]
    for repeat in range(REPEATS):
        order = np.random.default_rng(repeat).permutation(len(features))
        for fold in range(FOLDS):
            inside = [i for at, i in enumerate(order) if at % FOLDS != fold]
            weights = fit([features[i] for i in inside], [hits[i] for i in inside])
            for i in order[fold::FOLDS]:
                ranks[i].append(_rank(features[i] @ weights, hits[i]))
    return ranks


def _rank(scores: Floats, hits: Hits) -> int:
    ordered = hits[np.argsort(-scores, kind="stable")]
    return int(ordered.argmax()) if ordered.any() else MISSED


def _summary(questions: Sequence[Retrieval], ranks: Ranks) -> dict[str, str]:
    """recall@1 / recall@10 / MRR@10 / recall@100 over all questions and by vocabulary gap."""
    array = np.array(ranks)
    gaps = np.array([q.gap for q in questions])
    masks = {"all": np.ones(len(gaps), bool), **{gap: gaps == gap for gap in ("none", "some", "full")}}
    return {name: _figures(array[mask]) for name, mask in masks.items()}


def _figures(ranks: npt.NDArray[np.int64]) -> str:
    mrr = np.where(ranks < 10, 1 / (ranks + 1), 0).mean()
    return f"{(ranks < 1).mean():.3f} / {(ranks < 10).mean():.3f} / {mrr:.3f} / {(ranks < 100).mean():.3f}"


if __name__ == "__main__":
    main()
