"""Recall and precision of resolution over every symbol of a truth table, by kind of definition."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.usages import Usages
from headwater.evaluation.corpus import MemoryCorpus
from headwater.evaluation.truth_table import TruthDefinition, TruthTable
from headwater.evaluation.usage_score import Place, UsageScore, count


class SymbolScore(msgspec.Struct, frozen=True):
    """One definition's counts and the places behind them."""

    definition: TruthDefinition
    score: UsageScore
    missed: tuple[Place, ...]
    wrong: tuple[Place, ...]
    known: bool  # False: the facts lack the definition


class KindScore(msgspec.Struct):
    """Sums over the definitions of one kind."""

    definitions: int = 0
    unknown: int = 0
    found: int = 0
    expected: int = 0
    wrong: int = 0
    exact: int = 0

    @property
    def recall(self) -> float:
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        given = self.found + self.wrong
        return self.found / given if given else 1.0


def measure(table: TruthTable, corpus: MemoryCorpus, every: int = 1) -> list[SymbolScore]:
    """Scores of each `every`-th definition of the table."""
    usages = Usages(corpus)
    positions = _positions(corpus, table.files)
    return [_score(table, d, usages, corpus, positions) for d in table.definitions[::every]]


def _positions(corpus: MemoryCorpus, files: Iterable[str]) -> dict[Place, SymbolId]:
    found: dict[Place, SymbolId] = {}
    for path in files:
        document = corpus.document_at(path)
        if document is None:
            continue
        for i, symbol in enumerate(corpus.facts(document).symbols):
            found.setdefault((path, symbol.at.line, symbol.at.col), SymbolId(document, i))
    return found


def _score(
    table: TruthTable,
    definition: TruthDefinition,
    usages: Usages,
    corpus: MemoryCorpus,
    positions: Mapping[Place, SymbolId],
) -> SymbolScore:
    id_ = positions.get(definition.place)
    answers = usages.of([id_]) if id_ is not None else []
    given = {(corpus.path(a.document), a.at.line, a.at.col) for a in answers}
    neutral = table.neutral_for(definition)
    expected = table.uses.get(definition.i, set()) - neutral
    wrong = {p for p in given - expected if p not in neutral}
    return SymbolScore(
        definition=definition,
        score=count(given, expected, neutral),
        missed=tuple(sorted(expected - given)),
        wrong=tuple(sorted(wrong)),
        known=id_ is not None,
    )


def sum_up(scores: Iterable[SymbolScore]) -> dict[str, KindScore]:
    """By kind, `local` ones apart, and the totals."""
    sums: dict[str, KindScore] = defaultdict(KindScore)
    for one in scores:
        local = "local " if one.definition.local else ""
        for key in (f"{local}{one.definition.kind}", "all local" if local else "all non-local", "all"):
            kind = sums[key]
            kind.definitions += 1
            kind.unknown += not one.known
            kind.found += one.score.found
            kind.expected += one.score.expected
            kind.wrong += one.score.wrong
            kind.exact += one.score.exact
    return dict(sorted(sums.items()))


def format_table(corpus: str, sums: Mapping[str, KindScore]) -> str:
    lines = [
        f"{corpus:24} {'kind':24} {'defs':>6} {'unknown':>7} {'uses':>6} {'recall':>8} {'precision':>9} {'exact':>6}"
    ]
    for kind, s in sums.items():
        share = s.exact / s.definitions if s.definitions else 1.0
        lines.append(
            f"{corpus:24} {kind:24} {s.definitions:6} {s.unknown:7} {s.expected:6}"
            f" {s.recall:8.4f} {s.precision:9.4f} {share:6.3f}"
        )
    return "\n".join(lines)
