"""Draws pairs (question, definition) from the examples: which text asks, and what of the definition is shown."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from examples import Examples

FIELDS = ("name", "place", "doc", "body")  # imports aren't trained
NAME, PLACE, DOC, BODY = range(len(FIELDS))
GROUP = 32  # neighbours in a batch come from one package: hard negatives
NAME_DROPOUT = 0.25
OVERLAP_DROPOUT = 0.7  # in half of the questions, words that the definition shares go with this chance
# How often each kind of text asks: first sentence, later sentence, error message, comment.
MIX = {"summary": 4.0, "detail": 3.0, "message": 1.0, "comment": 3.0}

Text = tuple[int, int, int, int]  # owner, field, text, sign


class Bag(NamedTuple):
    """Distinct terms by owner and field with √count."""

    owner: npt.NDArray[np.int64]
    field: npt.NDArray[np.int64]
    term: npt.NDArray[np.int64]
    value: npt.NDArray[np.float32]


class Batches:
    def __init__(self, examples: Examples, trained: npt.NDArray[np.bool_], seed: int = 0) -> None:
        self._examples, self._rng = examples, np.random.default_rng(seed)
        docs, comments, messages = examples.rows[:, 1], examples.rows[:, 2], examples.rows[:, 3]
        able = {"summary": docs > 0, "detail": docs > 1, "message": messages > 0, "comment": comments > 0}
        self._pools = {kind: self._by_package(trained & mask) for kind, mask in able.items()}
        self._shares = {kind: _shares([min(len(p), 1500) for p in pools]) for kind, pools in self._pools.items()}

    def draw(self, size: int) -> tuple[Bag, Bag]:
        """Questions and definitions; owner i of one belongs to owner i of the other."""
        asking: list[Text] = []
        shown: list[Text] = []
        kinds, weights = list(MIX), _shares(list(MIX.values()))
        for start in range(0, size, GROUP):
            kind = kinds[self._rng.choice(len(kinds), p=weights)]
            pool = self._pools[kind][self._rng.choice(len(self._pools[kind]), p=self._shares[kind])]
            for owner, row in enumerate(self._rng.choice(pool, min(GROUP, size - start), replace=False), start):
                question, texts = self._pair(int(row), owner, kind)
                asking.append((owner, 0, question, 1))
                shown += texts
        questions, definitions = self.bag(asking), self.bag(shown)
        return self._less_overlap(questions, definitions, size), definitions

    def bag(self, texts: list[Text]) -> Bag:
        flat, offsets, terms = self._examples.flat, self._examples.offsets, len(self._examples.terms)
        numbers = np.concatenate([flat[offsets[t] : offsets[t + 1]] for _, _, t, _ in texts])
        lengths = [offsets[t + 1] - offsets[t] for _, _, t, _ in texts]
        slots = np.repeat(np.array([o * len(FIELDS) + f for o, f, _, _ in texts], np.int64), lengths)
        signs = np.repeat(np.array([s for *_, s in texts], np.float32), lengths)
        keys, inverse = np.unique(slots * terms + numbers, return_inverse=True)
        values = np.sqrt(np.maximum(np.bincount(inverse, signs), 0)).astype(np.float32)
        slot, term = np.divmod(keys, terms)
        return Bag(slot // len(FIELDS), slot % len(FIELDS), term, values)

    def _pair(self, row: int, owner: int, kind: str) -> tuple[int, list[Text]]:
        first, n_docs, n_comments, n_messages = (int(n) for n in self._examples.rows[row])
        docs = list(range(first + 3, first + 3 + n_docs))
        comments = list(range(first + 3 + n_docs, first + 3 + n_docs + n_comments))
        chance = self._rng.random
        shown: list[Text] = [(owner, NAME, first, 1)] if chance() > NAME_DROPOUT else []
        shown += [(owner, PLACE, first + 1, 1), (owner, BODY, first + 2, 1)]
        if kind == "summary":
            documented = bool(docs[1:]) and chance() < 0.5
            return docs[0], shown + (_documented(owner, docs[1:], comments) if documented else [])
        if kind == "detail":
            question = docs[1 + int(chance() * (n_docs - 1))]
            return question, shown + _documented(owner, [d for d in docs if d != question], comments)
        if kind == "message":
            question = first + 3 + n_docs + n_comments + int(chance() * n_messages)
            shown.append((owner, BODY, question, -1))
        else:
            question = comments[int(chance() * n_comments)]
        others = [c for c in comments if c != question]
        return question, shown + _documented(owner, docs if chance() < 0.7 else [], others)

    def _less_overlap(self, questions: Bag, definitions: Bag, size: int) -> Bag:
        terms = len(self._examples.terms)
        shared = np.isin(questions.owner * terms + questions.term, definitions.owner * terms + definitions.term)
        chosen = (self._rng.random(size) < 0.5)[questions.owner]
        gone = shared & chosen & (self._rng.random(len(shared)) < OVERLAP_DROPOUT)
        return Bag(*(column[~gone] for column in questions))

    def _by_package(self, mask: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.int64]]:
        package = self._examples.package
        pools = (np.flatnonzero(mask & (package == p)) for p in range(len(self._examples.packages)))
        return [pool for pool in pools if len(pool) >= GROUP]


def _documented(owner: int, docs: list[int], comments: list[int]) -> list[Text]:
    """The first sentence in its field; it and all other prose in the body, as chunks hold them."""
    head: list[Text] = [(owner, DOC, docs[0], 1)] if docs else []
    return head + [(owner, BODY, text, 1) for text in (*docs, *comments)]


def _shares(weights: list[float]) -> npt.NDArray[np.float64]:
    array = np.array(weights, float)
    return array / array.sum()
