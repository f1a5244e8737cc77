"""Which helpers an answer has, and how many of them a context holds."""

import pytest
from tests.support.marked_sources import facts_of

from headwater.evaluation.corpus import MemoryCorpus
from headwater.evaluation.golden import Span
from headwater.evaluation.helpers import ContextScore, Helpers, score_context

ANSWER = b"""\
from tools import tidy, unused

def answer(text):
    def inner():
        return text
    print(inner())
    return tidy(tidy(local_one(text)))

def local_one(text):
    return text
"""
TOOLS = b"""\
def tidy(text):
    return text.strip()

def unused():
    return tidy("")
"""
TIDY, LOCAL = Span("tools.py", 1, 2), Span("answer.py", 9, 10)
WHOLE = Span("answer.py", 3, 7)


@pytest.fixture
def helpers() -> Helpers:
    return Helpers(MemoryCorpus([("answer.py", ANSWER), ("tools.py", TOOLS)], facts_of))


def test_helpers_are_the_definitions_called_from_outside_the_answer_each_once(helpers: Helpers) -> None:
    assert set(helpers.of(WHOLE)) == {TIDY, LOCAL}
    assert len(helpers.of(WHOLE)) == 2


def test_code_that_calls_nothing_of_the_corpus_has_no_helpers(helpers: Helpers) -> None:
    assert helpers.of(TIDY) == []
    assert helpers.of(Span("gone.py", 1, 9)) == []


@pytest.mark.parametrize(
    ("context", "score"),
    [
        ([], ContextScore(False, 2, 0)),
        ([WHOLE, TIDY], ContextScore(True, 2, 1)),
        ([Span("answer.py", 1, 10)], ContextScore(True, 2, 1)),  # within a larger piece
        ([Span("tools.py", 1, 1)], ContextScore(False, 2, 0)),  # cut off
    ],
)
def test_only_whole_definitions_are_found(context: list[Span], score: ContextScore) -> None:
    assert score_context(context, [WHOLE], [TIDY, LOCAL]) == score
