"""Translates a question: grammar, then nearest pairs, then the language model where one is configured; each checked."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from headwater.structural.deadline import UNBOUNDED, Remaining, Work
from headwater.structural.query import Query, query
from headwater.structural.render import render
from headwater.structural.translate.checks import NOTHING, Checked, problems_of
from headwater.structural.translate.grammar import read
from headwater.structural.translate.rereading import reread
from headwater.structural.translate.retrieve import Example, PairIndex, fill
from headwater.structural.translate.symbols import Symbols

_EXAMPLES = 5
_NEAR_ENOUGH = 82.0
REREAD = "nothing matches the question's first reading, this is the nearest one that matches; the first"


class Translation(msgspec.Struct, frozen=True):
    """The query made of a question, or None, with what was not understood and why it may be wrong."""

    query: Query | None
    rendered: str
    not_understood: tuple[str, ...]
    problems: tuple[str, ...]
    source: str


class Model(Protocol):
    """A language model that translates; `problems` are those of the attempt before, to be mended."""

    def translate(
        self, question: str, examples: list[Example], problems: tuple[str, ...], remaining: Remaining
    ) -> Query | None: ...


class Translator:
    """Holds what translating needs; `matches` tells whether a query finds anything in the searched code."""

    def __init__(
        self,
        symbols: Symbols,
        matches: Callable[[Query], bool],
        pairs: PairIndex | None = None,
        model: Model | None = None,
        work: Work = UNBOUNDED,
    ) -> None:
        self._symbols = symbols
        self._matches = matches
        self._pairs = pairs or PairIndex([])
        self._model = model
        self._work = work

    def translate(self, question: str) -> Translation:
        """The first translation that passes every check, else the best one."""
        best = self._by_grammar(question)
        best = self._by_rereading(question, best) or best
        for step in (self._by_example, self._by_model):
            self._work.check()
            if best.query is not None and not best.problems and not best.not_understood:
                break
            found = step(question)
            if found is not None and found.query is not None and found.rank < best.rank:
                best = found
        rendered = render(best.query) if best.query is not None else ""
        return Translation(best.query, rendered, best.not_understood, best.problems, best.source)

    def _by_grammar(self, question: str) -> Checked:
        reading = read(question, self._symbols)
        made = query(reading.target) if reading.target is not None else None
        return self._checked(question, made, tuple(reading.not_understood), "grammar")

    def _by_rereading(self, question: str, first: Checked) -> Checked | None:
        """The grammar's reading with a change that lets it match; says that it isn't the first one."""
        if first.query is None or NOTHING not in first.problems:
            return None
        other = reread(first.query, self._symbols, self._matches)
        if other is None:
            return None
        return msgspec.structs.replace(
            self._checked(question, other, first.not_understood, "grammar"),
            problems=(f"{REREAD}: {render(first.query)}",),
        )

    def _by_example(self, question: str) -> Checked | None:
        for example in self._pairs.nearest(question, self._symbols, _EXAMPLES):
            if example.score < _NEAR_ENOUGH:
                return None
            filled = fill(example.pair.query, question, self._symbols)
            if filled is not None:
                checked = self._checked(question, filled, (), "example")
                if not checked.problems:
                    return checked
        return None

    def _by_model(self, question: str) -> Checked | None:
        if self._model is None:
            return None
        examples = self._pairs.nearest(question, self._symbols, _EXAMPLES)
        made = self._model.translate(question, examples, (), self._work.remaining)
        checked = self._checked(question, made, (), "model")
        if checked.query is not None and checked.problems:
            again = self._model.translate(question, examples, checked.problems, self._work.remaining)
            checked = min(checked, self._checked(question, again, (), "model"), key=lambda c: c.rank)
        return checked

    def _checked(self, question: str, made: Query | None, left: tuple[str, ...], source: str) -> Checked:
        if made is None:
            return Checked(None, left, (), source)
        return Checked(made, left, problems_of(question, made, self._symbols, self._matches), source)
