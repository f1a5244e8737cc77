"""Scoring a list of usages against the compiler's: recall, precision and whether the list is exact."""

from collections.abc import Collection, Sequence

import msgspec

from headwater.evaluation.golden import Token, Usages
from headwater.evaluation.scopes import CorpusScope

Place = tuple[str, int, int]  # path, line, column


class UsageScore(msgspec.Struct, frozen=True):
    """Counts of one question, so that they can be summed as well as averaged."""

    found: int
    expected: int
    wrong: int

    @property
    def recall(self) -> float:
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        given = self.found + self.wrong
        return self.found / given if given else 1.0

    @property
    def exact(self) -> bool:
        return self.found == self.expected and self.wrong == 0


def place(token: Token) -> Place:
    return (token.path, token.line, token.col)


def score_usages(question: Usages, answers: Sequence[Token], scope: CorpusScope) -> UsageScore:
    """Answers outside the scope are dropped; optional places and further definitions are neither wanted nor wrong."""
    definition = question.definition
    neutral = {place(t) for t in (*question.optional, *question.other_definitions)}
    neutral.add((definition.path, definition.start_line, definition.start_col))
    given = {place(a) for a in answers if scope.covers(a.path)}
    return count(given, {place(e) for e in question.expected}, neutral)


def count(given: Collection[Place], expected: Collection[Place], neutral: Collection[Place]) -> UsageScore:
    wanted = set(expected)
    found = len(wanted.intersection(given))
    return UsageScore(found, len(wanted), sum(p not in wanted and p not in neutral for p in given))
