"""Fits the reranker on golden questions and says by cross-validation what it gives; trains nothing else on them."""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from retrieval import POOL, Corpus, cut_corpus, fuse
from scipy.optimize import minimize

from headwater.clients.rerank_features import FEATURES, feature_matrix
from headwater.clients.static_model import WEIGHTS, StaticModel
from headwater.evaluation.golden import Retrieval, Span, read_golden
from headwater.evaluation.metrics import is_hit

Floats = npt.NDArray[np.float64]
Hits = npt.NDArray[np.bool_]
FOLDS, REPEATS = 8, 5
PENALTY = 0.03
LEXICAL_WEIGHT = 0.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--golden", type=Path, required=True, help="folder with nl_open.jsonl and corpora.json")
    parser.add_argument("--corpora", type=Path, required=True, help="folder with each corpus laid out under its name")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    model = StaticModel(options.weights)
    questions = read_golden([options.golden / "nl_open.jsonl"]).retrieval
    meta = {c["name"]: c for c in json.loads((options.golden / "corpora.json").read_text())["corpora"]}
    names = sorted({q.corpus for q in questions})
    corpora = {
        name: Corpus(cut_corpus(options.corpora / name, meta[name]["source_roots"], meta[name]["lang"], model), model)
        for name in names
    }
    features, hits = _measured(model, questions, corpora)
    figures = _retrieval_figures(questions, corpora)
    scale = np.concatenate(features).std(axis=0) + 1e-6
    scaled = [f / scale for f in features]
    figures["reranked, cross-validated"] = _summary(questions, _cross_validate(scaled, hits))
    weights = fit(scaled, hits) / scale
    rounded = {name: round(float(w), 5) for name, w in zip(FEATURES, weights, strict=True)}
    (options.weights / "reranker.json").write_text(json.dumps(rounded, indent=2) + "\n")
    (options.weights / "reranker_figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


def _measured(
    model: StaticModel, questions: Sequence[Retrieval], corpora: dict[str, Corpus]
) -> tuple[list[Floats], list[Hits]]:
    """Each question's fused candidates: their features, and which of them answer it."""
    features, hits = [], []
    for question in questions:
        corpus = corpora[question.corpus]
        lexical = corpus.lexical(question.query)
        by_words = set(np.argsort(-lexical, kind="stable")[:POOL].tolist())
        top = fuse(lexical, corpus.cosine(question.query), LEXICAL_WEIGHT)[:POOL]
        found = [corpus.chunks[i]._replace(lexical_score=float(lexical[i]) if i in by_words else 0.0) for i in top]
        features.append(feature_matrix(model, question.query, found).astype(np.float64))
        hits.append(np.array([_answers(corpus, i, question) for i in top]))
    return features, hits


def _answers(corpus: Corpus, number: int, question: Retrieval) -> bool:
    chunk = corpus.chunks[number]
    span = Span(chunk.path, chunk.start_line, chunk.end_line)
    return any(is_hit(span, expected) for expected in question.expected)


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


def _cross_validate(features: Sequence[Floats], hits: Sequence[Hits]) -> list[list[int]]:
    """Each question's rank under weights that never saw it, once a repeat."""
    ranks: list[list[int]] = [[] for _ in features]
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
    return int(ordered.argmax()) if ordered.any() else POOL


def _retrieval_figures(questions: Sequence[Retrieval], corpora: dict[str, Corpus]) -> dict[str, object]:
    orders: dict[str, list[list[int]]] = defaultdict(list)
    for question in questions:
        corpus = corpora[question.corpus]
        lexical, cosine = corpus.lexical(question.query), corpus.cosine(question.query)
        orders["bm25"].append(np.argsort(-lexical, kind="stable")[:POOL].tolist())
        orders["static"].append(np.argsort(-cosine, kind="stable")[:POOL].tolist())
        for weight in (0.2, 0.3, 0.4, 0.5, 0.7, 1.0):
            orders[f"fused, bm25 weight {weight}"].append(fuse(lexical, cosine, weight))
    return {name: _summary(questions, _first_hits(questions, corpora, lists)) for name, lists in orders.items()}


def _first_hits(questions: Sequence[Retrieval], corpora: dict[str, Corpus], orders: list[list[int]]) -> list[list[int]]:
    return [
        [next((rank for rank, i in enumerate(order) if _answers(corpora[q.corpus], i, q)), 10 * POOL)]
        for q, order in zip(questions, orders, strict=True)
    ]


def _summary(questions: Sequence[Retrieval], ranks: list[list[int]]) -> dict[str, str]:
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
