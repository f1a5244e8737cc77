"""How much of what an answer calls is in the context that the service puts together for a question."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.document import ReferenceKind, Symbol
from headwater.domain.resolution.names import Names
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import Definitions
from headwater.evaluation.corpus import MemoryCorpus
from headwater.evaluation.golden import Span


class ContextScore(msgspec.Struct, frozen=True):
    """One question: whether its context holds the answer, and how many of the answer's helpers."""

    answered: bool
    helpers: int
    found: int


class Helpers:
    """The definitions of a corpus that a stretch of its code calls, as far as names are certain."""

    def __init__(self, corpus: MemoryCorpus) -> None:
        self._corpus, self._names = corpus, Names(corpus)

    def of(self, answer: Span) -> list[Span]:
        """Those outside the answer itself, each once, in the order of their first call."""
        document = self._corpus.document_at(answer.path)
        if document is None:
            return []
        view = self._names.view(document)
        calls = [r for r in view.facts.references if r.kind is ReferenceKind.CALL and _within(r.at.line, answer)]
        meant = (found.symbols for c in calls if isinstance(found := self._names.denote(view, c), Definitions))
        ids = dict.fromkeys(id_ for symbols in meant for id_ in symbols)
        return [s for s in (self._declaration(id_) for id_ in ids) if s is not None and not _covers(answer, s)]

    def _declaration(self, id_: SymbolId) -> Span | None:
        symbol = self._names.symbol(id_)
        return None if symbol.local else Span(self._corpus.path(id_.document), *_lines(symbol))


def score_context(context: Sequence[Span], answers: Iterable[Span], helpers: Sequence[Span]) -> ContextScore:
    """Only whole definitions count."""
    found = sum(any(_covers(part, helper) for part in context) for helper in helpers)
    return ContextScore(any(_covers(part, a) for part in context for a in answers), len(helpers), found)


def _lines(symbol: Symbol) -> tuple[int, int]:
    span = symbol.span
    return span.start_line, span.end_line - (span.end_col == 1 and span.end_line > span.start_line)


def _within(line: int, span: Span) -> bool:
    return span.start_line <= line <= span.end_line


def _covers(outer: Span, inner: Span) -> bool:
    return outer.path == inner.path and _within(inner.start_line, outer) and _within(inner.end_line, outer)
