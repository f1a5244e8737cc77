"""The paper's scores and their three averages."""

from headwater.structural.scoring import score, summarize

A, B, C = ("f", 1), ("f", 2), ("g", 1)


def test_scores_of_one_query() -> None:
    found = score({A, B}, {B, C})
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)


def test_an_empty_answer_scores_nothing() -> None:
    assert score({A}, set()).f1 == 0.0


def test_means_harmonic_and_micro_differ() -> None:
    summary = summarize([score({A}, {A, B, C}), score({A, B}, {A})])
    assert (summary.queries, summary.recall) == (2, 0.75)
    assert round(summary.f1, 3) == 0.583
    assert round(summary.f1_of_means, 3) == 0.706
    assert round(summary.f1_micro, 3) == 0.571
