"""Definitions by name: whole name, other case, other style, part of a name; qualified or in a named file."""

from collections.abc import Callable, Sequence
from enum import IntEnum

import msgspec

from headwater.domain.subtoken import subtokens
from headwater.query.access import Access, fetch_admitted
from headwater.query.symbol_name import SymbolName, matched_containers, matches_parameters
from headwater.query.symbol_rank import bodiless, identity, symbol_order
from headwater.stores.index_reader import SymbolRow

MAX_NAMES = 4096
_NAME_BATCH = 16


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
    matches += search.named(_without(access.reader.names_folded(name.name, MAX_NAMES), matches), Tier.OTHER_CASE)
    if parts and len(matches) < want:
        matches += search.by_parts(want - len(matches), {m.row.symbol.name for m in matches})
    return in_order(matches)


def in_order(matches: Sequence[SymbolMatch]) -> list[SymbolMatch]:
    signatures = bodiless(m.row for m in matches)
    return sorted(matches, key=lambda m: symbol_order(m.row, m.tier, m.cost, identity(m.row) in signatures))


def exact_symbols(access: Access, name: SymbolName, path_end: str = "") -> list[SymbolMatch]:
    """Definitions of exactly this name and containers, in order."""
    return in_order(_Search(access, name, path_end).named([name.name], Tier.EXACT))


def _without(names: Sequence[str], matches: Sequence[SymbolMatch]) -> list[str]:
    seen = {m.row.symbol.name for m in matches}
    return [n for n in names if n not in seen]


class _Search:
    def __init__(self, access: Access, name: SymbolName, path_end: str) -> None:
        self._access, self._name, self._path_end = access, name, path_end
        self._parts = subtokens(name.name)

    def named(self, names: Sequence[str], tier: Tier | Callable[[str], Tier]) -> list[SymbolMatch]:
        """Every admitted definition with one of these names."""
        if not names:
            return []
        reader, scope = self._access.reader, self._access.scope
        rows = fetch_admitted(lambda limit: reader.symbols_named(scope, names, limit), self._admits, MAX_NAMES)
        found = [self._match(row, tier(row.symbol.name) if callable(tier) else tier) for row in rows]
        return [match for match in found if match is not None]

    def by_parts(self, want: int, seen: set[str]) -> list[SymbolMatch]:
        """Names that contain the text or its sub-tokens, shortest first, until enough of them have definitions."""
        names = self._part_names()
        pending = [n for n in names if n not in seen]
        matches: list[SymbolMatch] = []
        for start in range(0, len(pending), _NAME_BATCH):
            matches += self.named(pending[start : start + _NAME_BATCH], self._part_tier)
            self._access.deadline.check()
            if len(matches) >= want:
                break
        return matches

    def _part_names(self) -> list[str]:
        reader = self._access.reader
        names = list(reader.names_containing(self._name.name, MAX_NAMES)) if len(self._name.name) > 1 else []
        if self._parts:
            names += reader.names_with_parts(self._parts, MAX_NAMES)
        return sorted(dict.fromkeys(names), key=lambda n: (self._part_tier(n), len(n), n))

    def _part_tier(self, found: str) -> Tier:
        return Tier.OTHER_STYLE if subtokens(found) == self._parts else Tier.PART

    def _admits(self, row: SymbolRow) -> bool:
        return self._access.admits(row.document) and row.document.path.endswith(self._path_end)

    def _match(self, row: SymbolRow, tier: Tier) -> SymbolMatch | None:
        cost = matched_containers(self._name.containers, row.symbol.qualified, row.document.path)
        if cost is None or not matches_parameters(self._name.parameters, row.symbol.parameters):
            return None
        return SymbolMatch(row, tier, cost)
