"""The paper's scores: precision, recall and F1 a query by start line, averaged over queries."""

from collections.abc import Sequence, Set
from typing import TypeAlias

import msgspec

Place: TypeAlias = tuple[str, int]  # file and line; on the method level the line where the method starts


class Score(msgspec.Struct, frozen=True):
    """Of one query; an empty answer scores 0."""

    precision: float
    recall: float
    f1: float
    hits: int
    predicted: int
    expected: int


class Summary(msgspec.Struct, frozen=True):
    """Means over queries; `f1_of_means` is the harmonic mean of both means, `f1_micro` counts all places alike."""

    queries: int
    precision: float
    recall: float
    f1: float
    f1_of_means: float
    f1_micro: float


def score(expected: Set[Place], predicted: Set[Place]) -> Score:
    hits = len(expected & predicted)
    precision = hits / len(predicted) if predicted else 0.0
    recall = hits / len(expected) if expected else 0.0
    return Score(precision, recall, harmonic(precision, recall), hits, len(predicted), len(expected))


def summarize(scores: Sequence[Score]) -> Summary:
    number = max(len(scores), 1)
    precision = sum(s.precision for s in scores) / number
    recall = sum(s.recall for s in scores) / number
    hits = sum(s.hits for s in scores)
    micro_precision = hits / max(sum(s.predicted for s in scores), 1)
    micro_recall = hits / max(sum(s.expected for s in scores), 1)
    return Summary(
        len(scores),
        precision,
        recall,
        sum(s.f1 for s in scores) / number,
        harmonic(precision, recall),
        harmonic(micro_precision, micro_recall),
    )


def harmonic(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second else 0.0
