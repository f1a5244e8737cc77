"""Definitions by name: whole name, other case, other style, part of a name; qualified or in a named file."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import takewhile

import msgspec

from headwater.domain.subtoken import subtokens
from headwater.query.access import MAX_FETCH, Access, fetch_admitted
from headwater.query.name_order import all_names, in_batches, shortest_first
from headwater.query.symbol_name import SymbolName, matched_containers, matches_parameters
from headwater.query.symbol_rank import bodiless, identity, symbol_order
from headwater.stores.index_reader import SymbolRow

MAX_OF_A_NAME = 4096  # definitions that a ranked list takes of one name
_STYLE_LENGTH = 4  # a name of the same sub-tokens has at most so many characters beyond them and their separators


class Tier(IntEnum):
    """How a found name compares with the name asked for, best first."""

    EXACT = 0
    OTHER_CASE = 1
    OTHER_STYLE = 2  # the same sub-tokens: parse_url, parseUrl, parse-url
    PART = 3  # contains the text, or its sub-tokens as a run


class SymbolMatch(msgspec.Struct, frozen=True):
    """A definition, how its name matches and how far its containers are from those asked for."""

    row: SymbolRow
    tier: Tier
    cost: int


def find_symbols(access: Access, name: SymbolName, want: int, *, parts: bool, path_end: str = "") -> list[SymbolMatch]:
    """Admitted definitions in their final order: all of the whole-name tiers, then, if `parts`, at least `want`."""
    search = _Search(access, name, path_end)
    matches = search.named([name.name], Tier.EXACT)
    other_case = list(all_names(lambda limit: access.reader.names_folded(name.name, limit)))
    matches += search.named(_without(other_case, matches), Tier.OTHER_CASE)
    if parts and len(matches) < want:
        matches += search.by_parts(want - len(matches), {m.row.symbol.name for m in matches})
    return in_order(matches)


def in_order(matches: Sequence[SymbolMatch]) -> list[SymbolMatch]:
    signatures = bodiless(m.row for m in matches)
    return sorted(matches, key=lambda m: symbol_order(m.row, m.tier, m.cost, identity(m.row) in signatures))


def exact_symbols(access: Access, name: SymbolName, path_end: str = "") -> list[SymbolMatch]:
    """Every definition of exactly this name and containers, in order."""
    return in_order(_Search(access, name, path_end).named([name.name], Tier.EXACT, MAX_FETCH))


def _without(names: Sequence[str], matches: Sequence[SymbolMatch]) -> list[str]:
    seen = {m.row.symbol.name for m in matches}
    return [n for n in names if n not in seen]


class _Search:
    def __init__(self, access: Access, name: SymbolName, path_end: str) -> None:
        self._access, self._name, self._path_end = access, name, path_end
        self._parts = subtokens(name.name)

    def named(
        self, names: Sequence[str], tier: Tier | Callable[[str], Tier], limit: int = MAX_OF_A_NAME
    ) -> list[SymbolMatch]:
        """The admitted definitions with one of these names, the first `limit` of a name."""
        if not names:
            return []
        reader, scope = self._access.reader, self._access.scope
        rows = fetch_admitted(lambda n: reader.symbols_named(scope, names, n), self._admits, limit)
        if len(rows) == limit and len(names) > 1:
            return [match for name in names for match in self.named([name], tier, limit)]
        found = [self._match(row, tier(row.symbol.name) if callable(tier) else tier) for row in rows]
        return [match for match in found if match is not None]

    def by_parts(self, want: int, seen: set[str]) -> list[SymbolMatch]:
        """Definitions of further names up to the name with which there are enough."""
        matches: list[SymbolMatch] = []
        for batch in in_batches(name for name in self._part_names() if name not in seen):
            of_name: defaultdict[str, list[SymbolMatch]] = defaultdict(list)
            for match in self.named(batch, self._part_tier):
                of_name[match.row.symbol.name].append(match)
            for name in batch:
                matches += of_name[name]
                if len(matches) >= want:
                    return matches
            self._access.deadline.check()
        return matches

    def _part_names(self) -> Iterator[str]:
        """Names of the same sub-tokens, then those that contain the text or its sub-tokens, each shortest first."""
        reader, text, parts = self._access.reader, self._name.name, self._parts
        longest = len("_".join(parts)) + _STYLE_LENGTH
        with_parts = lambda limit: reader.names_with_parts(parts, limit)  # noqa: E731
        short = takewhile(lambda n: len(n) <= longest, all_names(with_parts)) if parts else iter(())
        styled = [name for name in short if self._part_tier(name) is Tier.OTHER_STYLE]
        yield from styled
        sources = [all_names(with_parts)] if parts else []
        if len(text) > 1:
            sources.append(all_names(lambda limit: reader.names_containing(text, limit)))
        yield from (name for name in shortest_first(sources) if name not in styled)

    def _part_tier(self, found: str) -> Tier:
        return Tier.OTHER_STYLE if subtokens(found) == self._parts else Tier.PART

    def _admits(self, row: SymbolRow) -> bool:
        return self._access.admits(row.document) and row.document.path.endswith(self._path_end)

    def _match(self, row: SymbolRow, tier: Tier) -> SymbolMatch | None:
        cost = matched_containers(self._name.containers, row.symbol.qualified, row.document.path)
        if cost is None or not matches_parameters(self._name.parameters, row.symbol.parameters):
            return None
        return SymbolMatch(row, tier, cost)
