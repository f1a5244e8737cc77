"""What definitions a question means: by a name, or by a place in a file."""

import msgspec

from headwater.domain.document import FileFacts, Position, Symbol
from headwater.domain.query_error import InvalidQuestionError, NotFoundError
from headwater.domain.question import Place
from headwater.domain.subtoken import subtokens
from headwater.query.access import Access, fetch_admitted
from headwater.query.name_order import defined_for
from headwater.query.path_spelling import plain, spellings
from headwater.query.resolution import Resolutions
from headwater.query.symbol_name import parse_symbol_name
from headwater.query.symbol_search import exact_symbols
from headwater.stores.index_reader import DocumentRow, SymbolRow

MAX_SUGGESTIONS = 5
NEAR_NAMES = 20  # looked at of each kind of nearness


class Target(msgspec.Struct, frozen=True):
    """One definition meant, in one snapshot."""

    row: DocumentRow
    index: int  # into FileFacts.symbols
    symbol: Symbol


class Meaning(msgspec.Struct, frozen=True):
    """All definitions meant, in order; `sure` when nothing else can be meant."""

    targets: tuple[Target, ...]
    sure: bool


def meaning_of_symbol(access: Access, text: str, path_end: str = "") -> Meaning:
    """Definitions of exactly this (qualified) name. Raises InvalidQuestionError and NotFoundError."""
    name = parse_symbol_name(text)
    if name is None:
        raise InvalidQuestionError("symbol", f"'{text[:80]}' is no name: give one like save, Store.save or pkg.save")
    matches = exact_symbols(access, name, path_end)
    if not matches:
        raise NotFoundError(
            "UNKNOWN_SYMBOL",
            f"no definition of '{text[:200]}' in the selected views",
            suggestions(access, name.name),
        )
    least = min(m.cost for m in matches)
    best = [m for m in matches if m.cost == least]
    return Meaning(tuple(_target(m.row) for m in best), len(best) == 1)


def suggestions(access: Access, name: str) -> tuple[str, ...]:
    """Qualified names near `name` that the caller may see."""
    reader = access.reader
    near = defined_for(access, lambda limit: reader.names_folded(name, limit), NEAR_NAMES)
    if len(name) > 2:
        near += defined_for(access, lambda limit: reader.names_containing(name, limit), NEAR_NAMES)
    if parts := subtokens(name):
        near += defined_for(access, lambda limit: reader.names_with_parts(parts, limit), NEAR_NAMES)
    names = list(dict.fromkeys([*near, name]))
    rows = fetch_admitted(
        lambda limit: reader.symbols_named(access.scope, names, limit), lambda r: access.admits(r.document), 200
    )
    return tuple(dict.fromkeys(r.symbol.qualified for r in rows))[:MAX_SUGGESTIONS]


def _target(row: SymbolRow) -> Target:
    return Target(row.document, row.index, row.symbol)


def meaning_of_place(access: Access, resolutions: Resolutions, place: Place) -> Meaning:
    """The definition at a place, or what the use there means. Raises NotFoundError."""
    paths = spellings(access, plain(place.path))
    rows = [r for path in paths for r in access.reader.document_at(access.scope, path) if access.admits(r)]
    if not rows:
        message = f"no indexed file '{place.path}' in the selected views"
        raise NotFoundError("UNKNOWN_FILE", message)
    meanings = [_at_place(access, resolutions, row, place) for row in rows]
    targets = tuple(t for meaning in meanings for t in meaning.targets)
    if not targets:
        message = f"no known name at {place.path}:{place.line}:{place.col}"
        raise NotFoundError("UNKNOWN_SYMBOL", message)
    return Meaning(targets, all(meaning.sure for meaning in meanings))


def _at_place(access: Access, resolutions: Resolutions, row: DocumentRow, place: Place) -> Meaning:
    """What resolution says; where it can't tell, every definition of that name."""
    token = _token_at(access.documents.document(row).facts, place)
    if token is None:
        return Meaning((), True)
    name, at = token
    with resolutions.of(access, row.snapshot) as resolution:
        found = resolution.definitions_at(row, at.byte)
    if found:
        return Meaning(tuple(target_at(access, row.snapshot, r, index) for r, index in found), True)
    named = access.reader.symbols_named((access.scope[row.snapshot],), [name], 10_000)
    moved = [SymbolRow(in_scope(r.document, row.snapshot), r.index, r.symbol) for r in named]
    return Meaning(tuple(_target(r) for r in moved if access.admits(r.document)), False)


def target_at(access: Access, snapshot: int, row: DocumentRow, index: int) -> Target:
    """A definition that resolution found in this snapshot."""
    return Target(in_scope(row, snapshot), index, access.documents.document(row).facts.symbols[index])


def in_scope(row: DocumentRow, snapshot: int) -> DocumentRow:
    """The row as the whole scope numbers its snapshots."""
    return msgspec.structs.replace(row, snapshot=snapshot)


def _token_at(facts: FileFacts, place: Place) -> tuple[str, Position] | None:
    for symbol in facts.symbols:
        if _covers(symbol.at, symbol.name, place):
            return symbol.name, symbol.at
    for reference in facts.references:
        if _covers(reference.at, reference.name, place):
            return reference.name, reference.at
    for imported in facts.imports:
        if imported.name and _covers(imported.at, imported.name, place):
            return imported.name, imported.at
    return None


def _covers(at: Position, name: str, place: Place) -> bool:
    return at.line == place.line and at.col <= place.col < at.col + len(name)
