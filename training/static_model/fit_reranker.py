"""Fits the question map and the reranker on questions in users' words, and says what they give on corpora left out."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from ranking_fit import Asked, Floats, fit_map, fit_weights
from served import served

from headwater.clients.embedding_model import ChunkText
from headwater.clients.rerank_features import FEATURES, feature_matrix
from headwater.clients.static_model import WEIGHTS, StaticModel
from headwater.evaluation.corpora import Corpus, read_corpora
from headwater.evaluation.golden import Retrieval, read_golden

FOLDS = 5  # of whole corpora
MISSED = 1000
Ranks = npt.NDArray[np.int64]  # of each question's first answer


class Source(msgspec.Struct):
    """A set of questions, where their corpora are indexed, and the source roots."""

    questions: Sequence[Retrieval]
    home: Path
    corpora: dict[str, Corpus]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--golden", type=Path, required=True, help="folder with nl_open.jsonl and corpora.json")
    add("--home", type=Path, required=True, help="the index that 'headwater eval --home HOME' keeps of its corpora")
    add("--questions", type=Path, required=True, help="folder that questions/fetch.py laid out")
    add("--questions-home", type=Path, required=True, help="the index of its corpora, kept the same way")
    add("--weights", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    written = sorted((Path(__file__).parent / "questions").glob("*.jsonl"))
    golden = read_golden([options.golden / "nl_open.jsonl"]).retrieval
    sources = (
        Source(golden, options.home, read_corpora(options.golden / "corpora.json")),
        Source(
            read_golden(written).retrieval, options.questions_home, read_corpora(options.questions / "corpora.json")
        ),
    )
    figures, question_map, weights = _fit(options.weights, sources)
    rounded = {name: round(float(w), 5) for name, w in zip(FEATURES, weights, strict=True)}
    np.save(options.weights / "question_map.npy", question_map.astype(np.float16))
    (options.weights / "reranker.json").write_text(json.dumps(rounded, indent=2) + "\n")
    (options.weights / "reranker_figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


def _fit(folder: Path, sources: Sequence[Source]) -> tuple[dict[str, dict[str, str]], Floats, Floats]:
    """Figures, map and weights. The weights see each question under a map that never saw its corpus, as in use."""
    questions = [q for source in sources for q in source.questions]
    golden = np.arange(len(questions)) < len(sources[0].questions)
    folds = _folds([q.corpus for q in questions])
    plain = StaticModel(folder, np.eye(StaticModel(folder).version.dimensions, dtype=np.float32))
    first = _asked(sources, lambda _at: plain)
    maps = [fit_map([a for a, f in zip(first, folds, strict=True) if f != fold]) for fold in range(FOLDS)]
    question_map = fit_map(first)
    models = [StaticModel(folder, m) for m in maps]
    second = _asked(sources, lambda at: models[folds[at]])
    weights = fit_weights(second)
    left_out = _left_out(second, folds)
    ranks = {
        "fused without the map": _ranks(first, lambda _at: None),
        "reranked without the map, corpora left out": _ranks(first, _left_out(first, folds).__getitem__),
        "fused, corpora left out": _ranks(second, lambda _at: None),
        "reranked, corpora left out": _ranks(second, left_out.__getitem__),
    }
    gaps = np.array([q.gap for q in questions])
    sets = {"golden": golden, "written for fitting": ~golden}
    return (
        {f"{set_}: {how}": _summary(r[mask], gaps[mask]) for set_, mask in sets.items() for how, r in ranks.items()},
        question_map,
        weights,
    )


def _asked(sources: Sequence[Source], model_of: Callable[[int], StaticModel]) -> list[Asked]:
    """All questions in the order of the sources, each asked under the model of its place in that order."""
    out: list[Asked] = []
    for source in sources:
        out += _asked_of(source, [model_of(len(out) + at) for at in range(len(source.questions))])
    return out


def _asked_of(source: Source, models: Sequence[StaticModel]) -> Iterable[Asked]:
    given = served(source.home, source.questions, source.corpora, models)
    for question, model, (candidates, answers) in zip(source.questions, models, given, strict=True):
        vectors = model.embed_chunks([ChunkText(c.path, c.scopes, c.doc, (), c.text) for c in candidates])
        none = np.zeros((0, len(FEATURES)), np.float32)
        yield Asked(
            features=feature_matrix(model, question.query, candidates) if candidates else none,
            hits=np.array(answers, bool),
            question=_unit(model.embed_query(question.query)),
            candidates=_unit(vectors),
        )


def _unit(quantised: npt.NDArray[np.int8]) -> Floats:
    return quantised.astype(np.float32) / np.float32(127)


def _folds(corpora: Sequence[str]) -> list[int]:
    """The fold of each question: corpora stay whole, folds about equal, the same every time."""
    sizes, fold_of = [0] * FOLDS, {}
    for corpus in sorted(set(corpora), key=lambda c: (-corpora.count(c), c)):
        fold_of[corpus] = int(np.argmin(sizes))
        sizes[fold_of[corpus]] += corpora.count(corpus)
    return [fold_of[corpus] for corpus in corpora]


def _left_out(asked: Sequence[Asked], folds: Sequence[int]) -> list[Floats]:
    """For each question, weights that saw no question of its fold."""
    by_fold = [fit_weights([a for a, f in zip(asked, folds, strict=True) if f != fold]) for fold in range(FOLDS)]
    return [by_fold[fold] for fold in folds]


def _ranks(asked: Sequence[Asked], weights_of: Callable[[int], Floats | None]) -> Ranks:
    """Candidates come in fused order: that is the order without weights."""
    out = []
    for at, one in enumerate(asked):
        weights = weights_of(at)
        scores = -np.arange(len(one.hits)) if weights is None else one.features @ weights
        ordered = one.hits[np.argsort(-scores, kind="stable")]
        out.append(int(ordered.argmax()) if ordered.any() else MISSED)
    return np.array(out)


def _summary(ranks: Ranks, gaps: npt.NDArray[np.str_]) -> dict[str, str]:
    """recall@1 / recall@10 / MRR@10 / recall@100 over all questions and by vocabulary gap."""
    masks = {"all": np.ones(len(gaps), bool), **{gap: gaps == gap for gap in ("none", "some", "full")}}
    return {name: _figures(ranks[mask]) for name, mask in masks.items()}


def _figures(ranks: Ranks) -> str:
    mrr = np.where(ranks < 10, 1 / (ranks + 1), 0).mean()
    return f"{(ranks < 1).mean():.3f} / {(ranks < 10).mean():.3f} / {mrr:.3f} / {(ranks < 100).mean():.3f}"


if __name__ == "__main__":
    main()
