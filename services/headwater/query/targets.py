"""What definitions a question means: by a name, or by a place in a file."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.document import Document, FileFacts, Reference, Symbol, SymbolKind
from headwater.domain.query_error import InvalidQuestionError, NotFoundError
from headwater.domain.question import Place
from headwater.domain.resolution.model import Definition, Resolver, Use, Verdict
from headwater.domain.subtoken import subtokens
from headwater.query.access import Access
from headwater.query.symbol_name import parse_symbol_name
from headwater.query.symbol_search import exact_symbols
from headwater.stores.index_reader import DocumentRow, SymbolRow

MAX_SUGGESTIONS = 5


class Target(msgspec.Struct, frozen=True):
    """One definition meant, in one snapshot."""

    row: DocumentRow
    index: int  # into FileFacts.symbols
    symbol: Symbol

    @property
    def id(self) -> tuple[str, int]:
        return self.row.path, self.index


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
            f"no definition of '{text[:200]}' in the selected views: check the spelling, or use Grep for text",
            suggestions(access, name.name),
        )
    least = min(m.cost for m in matches)
    best = [m for m in matches if m.cost == least]
    return Meaning(tuple(_target(m.row) for m in best), len(best) == 1)


def suggestions(access: Access, name: str) -> tuple[str, ...]:
    """Qualified names near `name` that the caller may see."""
    reader = access.reader
    near = [*reader.names_folded(name, 20)]
    if len(name) > 2:
        near += reader.names_containing(name, 20)
    if parts := subtokens(name):
        near += reader.names_with_parts(parts, 20)
    near += [name]
    rows = reader.symbols_named(access.scope, list(dict.fromkeys(near)), 200)
    return tuple(dict.fromkeys(r.symbol.qualified for r in rows if access.admits(r.document)))[:MAX_SUGGESTIONS]


def _target(row: SymbolRow) -> Target:
    return Target(row.document, row.index, row.symbol)


def meaning_of_place(access: Access, resolver: Resolver, place: Place) -> Meaning:
    """The definition at a place, or what the use at that place is bound to. Raises NotFoundError."""
    rows = [r for r in access.reader.document_at(access.scope, place.path) if access.admits(r)]
    if not rows:
        message = f"no indexed file '{place.path}' in the selected views: ask GetFileStatus why"
        raise NotFoundError("UNKNOWN_FILE", message)
    targets: list[Target] = []
    sure = True
    for row in rows:
        found, certain = _at_place(access, resolver, row, place)
        targets += found
        sure = sure and certain
    if not targets:
        message = f"no known name at {place.path}:{place.line}:{place.col}: point at an identifier of indexed code"
        raise NotFoundError("UNKNOWN_SYMBOL", message)
    return Meaning(tuple(targets), sure)


def _at_place(access: Access, resolver: Resolver, row: DocumentRow, place: Place) -> tuple[list[Target], bool]:
    facts = access.documents.document(row).facts
    at = _symbol_at(facts, place)
    if at is not None:
        return [Target(row, at, facts.symbols[at])], True
    reference = _covering(facts.references, place)
    if reference is None:
        return _imported_at(access, row, facts, place), False
    if reference.target >= 0:
        return [Target(row, reference.target, facts.symbols[reference.target])], True
    candidates = Candidates(access)
    binding = resolver.bind(Use(row.path, facts, reference), candidates.definitions(row.snapshot, reference, facts))
    found = [t for i in binding.targets if (t := candidates.target(row.snapshot, i)) is not None]
    return found, binding.verdict is Verdict.RESOLVED


def _imported_at(access: Access, row: DocumentRow, facts: FileFacts, place: Place) -> list[Target]:
    for imported in facts.imports:
        name = imported.name or imported.alias
        if name and imported.at.line == place.line and imported.at.col <= place.col <= imported.at.col + len(name):
            scope = (access.scope[row.snapshot],)
            rows = access.reader.symbols_named(scope, [name], 1000)
            moved = [_moved(r, row.snapshot) for r in rows]
            return [_target(r) for r in moved if access.admits(r.document)]
    return []


def _symbol_at(facts: FileFacts, place: Place) -> int | None:
    for index, symbol in enumerate(facts.symbols):
        at = symbol.at
        if at.line == place.line and at.col <= place.col <= at.col + len(symbol.name):
            return index
    return None


def _covering(references: Iterable[Reference], place: Place) -> Reference | None:
    for reference in references:
        at = reference.at
        if at.line == place.line and at.col <= place.col <= at.col + len(reference.name):
            return reference
    return None


def _moved(row: SymbolRow, snapshot: int) -> SymbolRow:
    """The same row as the whole scope numbers its snapshots."""
    document = msgspec.structs.replace(row.document, snapshot=snapshot)
    return SymbolRow(document, row.index, row.symbol)


class Candidates:
    """Non-local definitions by name and snapshot, with the facts of their files, each looked up once."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._by_name: dict[tuple[int, str], list[Definition]] = {}
        self._targets: dict[tuple[int, tuple[str, int]], Target] = {}

    def definitions(self, snapshot: int, reference: Reference, facts: FileFacts) -> Sequence[Definition]:
        """What a reference may mean by its name, or by the name of the import that binds it."""
        name = reference.name
        if reference.import_ >= 0 and (member := facts.imports[reference.import_].name) not in ("", "*"):
            name = member
        return self.named(snapshot, name)

    def named(self, snapshot: int, name: str) -> Sequence[Definition]:
        key = (snapshot, name)
        if key not in self._by_name:
            rows = self._access.reader.symbols_named((self._access.scope[snapshot],), [name], 100_000)
            readable = [r for r in rows if self._access.may_read(snapshot, r.document.path)]
            self._by_name[key] = [self._definition(_moved(r, snapshot)) for r in readable]
        return self._by_name[key]

    def target(self, snapshot: int, definition: tuple[str, int]) -> Target | None:
        return self._targets.get((snapshot, definition))

    def _definition(self, row: SymbolRow) -> Definition:
        document: Document = self._access.documents.document(row.document)
        found = Definition(row.document.path, document.facts, row.index)
        self._targets[row.document.snapshot, found.id] = _target(row)
        return found


def with_constructors(meaning: Meaning, candidates: Candidates) -> set[tuple[int, tuple[str, int]]]:
    """(snapshot, id) of the targets and of the constructors of those that are types: calling one uses the type."""
    wanted = {(t.row.snapshot, t.id) for t in meaning.targets}
    for target in meaning.targets:
        if target.symbol.local:
            continue
        for d in candidates.named(target.row.snapshot, target.symbol.name):
            same_file = d.path == target.row.path
            if d.symbol.kind is SymbolKind.CONSTRUCTOR and same_file and d.symbol.container == target.index:
                wanted.add((target.row.snapshot, d.id))
    return wanted
