"""What the reranker knows of a candidate: pure functions from a query and its candidates to a feature matrix."""

import re
from collections.abc import Hashable, Sequence
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import ChunkText, Int8Matrix
from headwater.clients.static_model import FIELDS, StaticModel, chunk_fields

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

FEATURES = (
    "lexical_share",
    "lexical_rank",
    "cosine",
    "cosine_gap",
    "cosine_rank",
    "best_sentence",
    "last_sentence",
    "name_covers",
    "place_covers",
    "doc_covers",
    "body_covers",
    "any_covers",
    "any_covers_sharp",
    "any_covers_exact",
    "any_covers_rare",
    "weakest_terms",
    "window_covers",
    "name_is_asked",
    "doc_is_asked",
    "head_covers",
    "doc_cosine",
    "file_cosine",
    "file_lexical",
    "scope_cosine",
    "log_size",
    "log_lines",
    "has_doc",
    "has_name",
    "has_branches",
    "is_test",
    "is_block",
)
_RANK_OFFSET = 10
_SHARP = 0.45
_EXACT = 0.9
_WINDOW = 24
_HEAD = 60
_MIN_SENTENCE = 4
_SENTENCE = re.compile(r"[.;:?!]\s")
_BRANCH = re.compile(r"\b(if|for|while|match|switch|when|case|except|catch)\b")
_TEST = re.compile(
    r"(^|[/_.-])(tests?|testing|testdata|specs?|mocks?|fakes?|benchmarks?|examples?)([/_.-]|$)|Test\.java$", re.I
)


class Candidate(Protocol):
    """What is read of a candidate; the query plane's own type has these and more."""

    @property
    def path(self) -> str: ...
    @property
    def kind(self) -> str: ...  # Chunk.kind
    @property
    def scopes(self) -> tuple[str, ...]: ...
    @property
    def doc(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def lexical_score(self) -> float: ...  # BM25, 0 where it wasn't found by words


def feature_matrix(model: StaticModel, query: str, candidates: Sequence[Candidate]) -> Floats:
    """Shape (candidates, len(FEATURES)); all figures are finite. Needs at least one candidate."""
    chunks = [ChunkText(c.path, c.scopes, c.doc, (), c.text) for c in candidates]
    lexical = np.array([c.lexical_score for c in candidates], np.float32)
    lexical /= max(float(lexical.max()), 1e-6)
    vectors = _real(model.embed_chunks(chunks))
    cosine = vectors @ _real(model.embed_query(query))
    columns = (
        _retrieval(lexical, cosine)
        | _sentences(model, query, vectors)
        | _coverage(model, query, chunks)
        | _neighbours(chunks, lexical, cosine)
        | _shape(chunks)
        | {"is_block": np.array([c.kind in {"block", "lines"} for c in candidates], np.float32)}
    )
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def _real(quantised: Int8Matrix) -> Floats:
    return quantised.astype(np.float32) / np.float32(127)


def _retrieval(lexical: Floats, cosine: Floats) -> dict[str, Floats]:
    return {
        "lexical_share": lexical,
        "lexical_rank": _reciprocal_ranks(lexical),
        "cosine": cosine,
        "cosine_gap": cosine.max() - cosine,
        "cosine_rank": _reciprocal_ranks(cosine),
    }


def _sentences(model: StaticModel, query: str, vectors: Floats) -> dict[str, Floats]:
    """Of a question in several sentences, one often describes the answer and the others why it is asked."""
    parts = [part for part in _SENTENCE.split(query) if len(part.split()) >= _MIN_SENTENCE] or [query]
    cosines = vectors @ _real(np.stack([model.embed_query(part) for part in parts])).T
    return {"best_sentence": cosines.max(axis=1), "last_sentence": cosines[:, -1]}


def _reciprocal_ranks(scores: Floats) -> Floats:
    ranks = np.empty(len(scores), np.float32)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    shares: Floats = np.float32(_RANK_OFFSET) / (np.float32(_RANK_OFFSET) + ranks)
    return shares


def _coverage(model: StaticModel, query: str, chunks: Sequence[ChunkText]) -> dict[str, Floats]:
    """How well each query term is met by its nearest term in each field: late interaction on the static vectors."""
    asked, importance = model.query_terms(query)
    texts = [chunk_fields(chunk) for chunk in chunks]
    near = {f: _nearest(model, asked, [t[FIELDS.index(f)] for t in texts]) for f in ("name", "place", "doc", "body")}
    covers = {field: matched.per_term @ importance for field, matched in near.items()}
    best = np.maximum.reduce([matched.per_term for matched in near.values()])
    rarity = np.log1p(len(chunks) / (0.5 + (best > _EXACT).sum(axis=0)))
    rare = importance * rarity / max(float((importance * rarity).sum()), 1e-6)
    return {
        **{f"{field}_covers": value for field, value in covers.items()},
        "any_covers": best @ importance,
        "any_covers_sharp": (np.maximum(0, best - _SHARP) / (1 - _SHARP)) @ importance,
        "any_covers_exact": (best > _EXACT) @ importance,
        "any_covers_rare": (np.maximum(0, best - _SHARP) / (1 - _SHARP)) @ rare,
        "weakest_terms": _weakest(best, importance),
        "window_covers": near["body"].window @ rare,
        "name_is_asked": near["name"].asked,
        "doc_is_asked": near["doc"].asked,
        "head_covers": near["body"].head @ rare,
        "doc_cosine": _doc_cosine(model, query, chunks),
    }


def _doc_cosine(model: StaticModel, query: str, chunks: Sequence[ChunkText]) -> Floats:
    documented = [ChunkText("", chunk.scopes[-1:], chunk.doc, (), "") for chunk in chunks]
    cosine: Floats = _real(model.embed_chunks(documented)) @ _real(model.embed_query(query))
    return cosine


def _neighbours(chunks: Sequence[ChunkText], lexical: Floats, cosine: Floats) -> dict[str, Floats]:
    """What the best other candidate of the same file, and of the same scope, scores: an answer seldom stands alone."""
    files = [chunk.path for chunk in chunks]
    return {
        "file_cosine": _best_other(files, cosine.tolist()),
        "file_lexical": _best_other(files, lexical.tolist()),
        "scope_cosine": _best_other([(c.path, c.scopes[:-1]) for c in chunks], cosine.tolist()),
    }


def _best_other(groups: Sequence[Hashable], scores: Sequence[float]) -> Floats:
    best: dict[Hashable, list[float]] = {}
    for group, score in zip(groups, scores, strict=True):
        best[group] = sorted((*best.get(group, ()), score), reverse=True)[:2]
    pairs = [(*best[group], 0.0)[:2] for group in groups]
    return np.array([b if s == a else a for s, (a, b) in zip(scores, pairs, strict=True)], np.float32)


def _weakest(best: Floats, importance: Floats) -> Floats:
    """How the least met third of the terms is met, of those of more than middling importance."""
    if not len(importance):
        return np.zeros(len(best), np.float32)
    important = np.where(importance > np.median(importance), best, 1)
    worst: Floats = np.sort(important, axis=1)[:, : max(1, len(importance) // 3)].mean(axis=1)
    return worst


class _Near(msgspec.Struct):
    per_term: Floats  # (candidates, query terms): similarity of the nearest term, 0 without one
    head: Floats  # the same within the field's first _HEAD terms: signature and documentation
    window: Floats  # the same within the best stretch of consecutive terms
    asked: Floats  # (candidates,): mean over the field's terms of their similarity to the nearest query term


def _nearest(model: StaticModel, asked: Ints, texts: Sequence[str]) -> _Near:
    numbers = [model.terms(text) for text in texts]
    sizes = np.array([len(n) for n in numbers])
    shape = (len(texts), len(asked))
    per_term, head, window = (np.zeros(shape, np.float32) for _ in range(3))
    out = _Near(per_term, head, window, np.zeros(len(texts), np.float32))
    if not sizes.any() or not len(asked):
        return out
    distinct, flat = np.unique(np.concatenate([np.array(n, np.int64) for n in numbers]), return_inverse=True)
    similar = np.maximum(0, model.term_units(distinct) @ model.term_units(asked).T)
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    some = sizes > 0
    rows = similar[flat]
    out.per_term[some] = np.maximum.reduceat(rows, starts[some], axis=0)
    out.asked[some] = np.add.reduceat(rows.max(axis=1), starts[some]) / sizes[some]
    for i in np.flatnonzero(some):
        field = rows[starts[i] : starts[i] + sizes[i]]
        out.head[i], out.window[i] = field[:_HEAD].max(axis=0), _best_window(field)
    return out


def _best_window(rows: Floats) -> Floats:
    """Of stretches of _WINDOW terms, the maxima of the one with the greatest sum."""
    starts = np.arange(0, len(rows), _WINDOW // 2)
    halves = np.maximum.reduceat(rows, starts, axis=0)
    windows = np.maximum(halves[:-1], halves[1:]) if len(halves) > 1 else halves
    best: Floats = windows[windows.sum(axis=1).argmax()]
    return best


def _shape(chunks: Sequence[ChunkText]) -> dict[str, Floats]:
    return {
        "log_size": np.log1p(np.array([len(chunk.text) for chunk in chunks], np.float32)),
        "log_lines": np.log1p(np.array([chunk.text.count("\n") + 1 for chunk in chunks], np.float32)),
        "has_doc": np.array([bool(chunk.doc) for chunk in chunks], np.float32),
        "has_name": np.array([bool(chunk.scopes) for chunk in chunks], np.float32),
        "has_branches": np.array([bool(_BRANCH.search(chunk.text)) for chunk in chunks], np.float32),
        "is_test": np.array([bool(_TEST.search(chunk.path)) for chunk in chunks], np.float32),
    }
