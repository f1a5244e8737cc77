"""Walks definitions, references and imports in source order and gives each its scope, container and final kind."""

from dataclasses import dataclass, field

from headwater.ast_chunker.collected import Collected, RawDefinition, RawImport, RawReference
from headwater.ast_chunker.languages.language import Language
from headwater.ast_chunker.scopes import LOCAL_KINDS, Bound, ScopeTree
from headwater.domain.document import SymbolKind

_NO_CONTAINERS = LOCAL_KINDS | {SymbolKind.MODULE}
_FIRST_DEFINES = frozenset({"assign", "block", "owner", "var"})
_VALUES = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT})


@dataclass(slots=True)
class PlacedDefinition:
    """A definition that became a symbol. Its number is its place in `Placed.definitions`."""

    raw: RawDefinition
    kind: SymbolKind
    scope: int  # that binds it
    container: int
    local: bool
    doc: tuple[int, int] | None = None


@dataclass(slots=True)
class PlacedReference:
    """A use with where it stands: innermost scope and innermost enclosing symbol."""

    raw: RawReference
    scope: int
    symbol: int


@dataclass(slots=True)
class PlacedImport:
    """An import with the symbol that encloses it."""

    raw: RawImport
    symbol: int


@dataclass(slots=True)
class Placed:
    """The file in scopes."""

    tree: ScopeTree
    definitions: list[PlacedDefinition] = field(default_factory=list)
    references: list[PlacedReference] = field(default_factory=list)
    imports: list[PlacedImport] = field(default_factory=list)


@dataclass(slots=True)
class _Region:
    start: int
    end: int
    scope_kind: str | None = None
    definitions: list[RawDefinition] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    end: int
    scope: int
    symbol: int
    region_symbol: int  # the definition that opened it, -1


def place(found: Collected, language: Language, end: int) -> Placed:
    """Scopes, containers and kinds of everything in `found`; `end` is the text's length in bytes."""
    return _Placer(found, language, end).run()


_Token = RawReference | RawImport | str | tuple[int, int]  # a use, an import, a nonlocal name, a doc's range


class _Placer:
    def __init__(self, found: Collected, language: Language, end: int) -> None:
        self._found, self._hoisted, self._from_body = found, language.hoisted, language.parameters_from_body
        self._placed = Placed(ScopeTree(end, language.members_visible, language.class_body_visible))
        self._stack = [_Open(end + 1, 0, -1, -1)]

    def run(self) -> Placed:
        placed, regions, at = self._placed, self._regions(), 0
        for start, token in self._tokens():
            while at < len(regions) and regions[at].start <= start:
                self._enter(regions[at])
                at += 1
            top = self._leave(start)
            if isinstance(token, RawReference):
                placed.references.append(PlacedReference(token, top.scope, top.symbol))
            elif isinstance(token, RawImport):
                self._import(token, top)
            elif isinstance(token, str):
                placed.tree.scopes[top.scope].nonlocals.add(token)
            else:
                self._document(token)
        for region in regions[at:]:
            self._enter(region)
        placed.references.sort(key=lambda r: r.raw.start)
        return placed

    def _tokens(self) -> list[tuple[int, _Token]]:
        found = self._found
        tokens: list[tuple[int, _Token]] = [*found.nonlocals]
        tokens += [(raw.start, raw) for raw in found.imports]
        tokens += [(doc[0], doc) for doc in found.docs]
        tokens += [(raw.start, raw) for raw in found.references]
        tokens.sort(key=lambda token: token[0])
        return tokens

    def _regions(self) -> list[_Region]:
        regions = {key: _Region(*key, kind) for key, kind in self._found.scopes.items()}
        for raw in self._found.definitions:
            key = (raw.start, raw.end)
            if key not in regions:
                regions[key] = _Region(*key)
            regions[key].definitions.append(raw)
        return sorted(regions.values(), key=lambda r: (r.start, -r.end))

    def _leave(self, start: int) -> _Open:
        stack = self._stack
        while stack[-1].end <= start and len(stack) > 1:
            stack.pop()
        return stack[-1]

    def _enter(self, region: _Region) -> None:
        top = self._leave(region.start)
        inner = [raw for raw in region.definitions if raw.settings.get("bind") == "self"]
        defined = [self._define(raw, top) for raw in region.definitions if raw not in inner]
        own = next((d for d in defined if d >= 0 and self._contains(d, top)), -1)
        if region.scope_kind is None and own < 0:
            return
        symbol = own if own >= 0 else top.symbol
        scope = top.scope
        if region.scope_kind is not None:
            scope = self._placed.tree.open(top.scope, region.scope_kind, region.start, region.end, symbol)
            if region.scope_kind == "class":
                self._open_class(scope, own)
        opened = _Open(region.end, scope, symbol, own)
        self._stack.append(opened)
        for raw in inner:
            opened.symbol = opened.region_symbol = self._define(raw, _Open(region.end, scope, top.symbol, -1))
            self._placed.tree.scopes[scope].symbol = opened.symbol

    def _open_class(self, scope: int, own: int) -> None:
        opened = self._placed.tree.scopes[scope]
        if own < 0:  # anonymous: it always has a supertype
            opened.inherits = True
            return
        raw = self._placed.definitions[own].raw
        opened.inherits, opened.members_from = bool(raw.bases), raw.body_start

    def _contains(self, number: int, top: _Open) -> bool:
        """Whether what stands inside it is its own: not if it is a local, or a member or global defined from afar."""
        placed = self._placed.definitions[number]
        return placed.kind not in _NO_CONTAINERS and placed.container == top.symbol

    def _define(self, raw: RawDefinition, top: _Open) -> int:
        """Its number, or -1 when an earlier definition of the scope owns the name and this is a write to it."""
        tree = self._placed.tree
        bind = raw.settings.get("bind", "")
        scope = self._binding_scope(raw.name, str(bind), top.scope)
        if scope < 0 or (bind in _FIRST_DEFINES and tree.holds(scope, raw.name)):
            write = RawReference("write", raw.name, raw.name_start, bind != "owner", receiver=self._owner(bind))
            self._placed.references.append(PlacedReference(write, top.scope, top.symbol))
            return -1
        at = tree.scopes[scope]
        moved = bind in {"owner", "file", "global"} or (scope == 0 and top.scope != 0 and bind == "assign")
        container = at.symbol if moved else top.symbol
        if bind == "member":
            container = tree.scopes[tree.class_scope(scope)].symbol
        kind = self._kind(SymbolKind(raw.kind), scope, container)
        number = len(self._placed.definitions)
        if not raw.receiver:
            tree.bind(scope, raw.name, Bound(number, kind, self._visible_from(raw, kind, top)))
        local = kind in LOCAL_KINDS or (at.in_function and bind != "member")
        self._placed.definitions.append(PlacedDefinition(raw, kind, scope, container, local))
        return number

    def _visible_from(self, raw: RawDefinition, kind: SymbolKind, top: _Open) -> int:
        """The first byte at which a use can mean it: its own type, default and initialiser mean something else."""
        if kind is SymbolKind.PARAMETER:
            body = self._placed.definitions[top.symbol].raw.body_start if top.symbol >= 0 else -1
            return body if self._from_body and body > raw.start else raw.end
        if kind is SymbolKind.LOCAL and not self._hoisted:
            return max(raw.end, raw.value_end)
        return 0

    def _owner(self, bind: object) -> str:
        return "self" if bind == "owner" else ""

    def _binding_scope(self, name: str, bind: str, scope: int) -> int:
        """The scope that binds it; -1 when the name is declared to belong to an outer scope that has it."""
        tree = self._placed.tree
        if bind in {"assign", "function", "var"}:
            scope = tree.function_scope(scope)
        elif bind == "condition":
            scope = tree.block_scope(scope)
        elif bind == "file":
            scope = 0
        elif bind == "owner":
            scope = tree.class_scope(scope)
        elif bind == "global":
            return -1 if tree.meaning(scope, name, tree.scopes[0].end).symbols else 0
        if name in tree.scopes[scope].nonlocals:
            return -1 if tree.meaning(scope, name, tree.scopes[0].end).symbols else 0
        return scope

    def _kind(self, kind: SymbolKind, scope: int, container: int) -> SymbolKind:
        at = self._placed.tree.scopes[scope]
        if at.kind == "class":
            if kind is SymbolKind.FUNCTION:
                return SymbolKind.METHOD
            return SymbolKind.FIELD if kind is SymbolKind.VARIABLE else kind
        if kind in _VALUES and at.in_function:
            return SymbolKind.LOCAL
        return kind

    def _import(self, raw: RawImport, top: _Open) -> None:
        number = len(self._placed.imports)
        self._placed.imports.append(PlacedImport(raw, top.symbol))
        if not raw.alias or raw.reexported:
            return
        scope = self._placed.tree.scopes[top.scope]
        scope.imports.setdefault(raw.alias, number)

    def _document(self, doc: tuple[int, int]) -> None:
        owner = next((o.region_symbol for o in reversed(self._stack) if o.region_symbol >= 0), -1)
        if owner >= 0:
            self._placed.definitions[owner].doc = doc
