"""Members of types: declared, inherited, embedded; and what overrides what."""

from typing import TYPE_CHECKING

from headwater.domain.document import ReferenceKind, SymbolKind
from headwater.domain.resolution.file_view import CALLABLE_KINDS
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    Denotation,
    External,
    Functions,
    FunctionType,
    Instance,
    ListType,
    MapType,
    TupleType,
    Type,
    UnionType,
    Unknown,
    Variable,
    substitute,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.language import LanguageRules
    from headwater.domain.resolution.names import Names

_MAX_TYPES = 200  # of one hierarchy


class Members:
    def __init__(self, names: "Names") -> None:
        self._names = names
        self._bases: dict[SymbolId, list[Type]] = {}
        self._busy: set[SymbolId] = set()

    def find(self, type_: Type, name: str, kind: ReferenceKind | None = None) -> Denotation:
        """The member that `name` denotes on a value of this type, nearest declaration first."""
        match type_:
            case Instance():
                return self._on_side(self._search(type_, name, kind), static=False)
            case ClassOf(symbol):
                return self._on_side(self._search(Instance(symbol), name, kind), static=True)
            case Variable():
                bound = self._names.typing.bound(type_)
                return EXTERNAL if isinstance(bound, Variable) else self.find(bound, name, kind)
            case Unknown():
                return UNKNOWN
            case External() | Functions() | FunctionType() | ListType() | MapType() | TupleType():
                return EXTERNAL
            case _:
                return UNKNOWN

    def _on_side(self, found: Denotation, static: bool) -> Denotation:
        """TypeScript allows one name twice: for the class and for its instances."""
        if not isinstance(found, Definitions) or len(found.symbols) < 2 or self._overloads(found.symbols[0]):
            return found
        fitting = tuple(s for s in found.symbols if ("static" in self._names.symbol(s).modifiers) == static)
        return Definitions(fitting, found.owner) if fitting else found

    def _search(self, start: Instance, name: str, kind: ReferenceKind | None) -> Denotation:
        """Level by level through the supertypes. Calls gather all overloads of the hierarchy for `narrow`."""
        gather = kind is ReferenceKind.CALL and self._overloads(start.symbol)
        found: list[SymbolId] = []
        owner: Type | None = None
        blind: Denotation | None = None
        for level in self._levels(start):
            for type_ in level:
                if not isinstance(type_, Instance):
                    blind = UNKNOWN if isinstance(type_, Unknown) else blind or EXTERNAL
                    continue
                own = self._own(type_.symbol, name, kind)
                if own:
                    owner = owner or type_
                    found.extend(own)
            if found and not gather:
                break
        if found:
            return Definitions(tuple(dict.fromkeys(found)), owner)
        if blind is not None:
            return blind
        return self._rules(start.symbol).absent(self._names, start.symbol, name)

    def _overloads(self, owner: SymbolId) -> bool:
        return self._names.view(owner.document).family == "java"

    def _own(self, owner: SymbolId, name: str, kind: ReferenceKind | None) -> list[SymbolId]:
        ids = self._rules(owner).own_members(self._names, owner, name)
        if len(ids) < 2 or kind is None:
            return ids
        callables = [i for i in ids if self._names.symbol(i).kind in CALLABLE_KINDS]
        others = [i for i in ids if i not in callables]
        return (callables or ids) if kind is ReferenceKind.CALL else (others or ids)

    def _levels(self, start: Instance) -> "list[list[Type]]":
        """The type itself, its direct supertypes, theirs, …; each type once, type arguments carried along."""
        levels: list[list[Type]] = [[start]]
        seen: set[SymbolId] = {start.symbol}
        while len(seen) < _MAX_TYPES:
            following: list[Type] = []
            for type_ in levels[-1]:
                if not isinstance(type_, Instance):
                    continue
                bindings = self._names.typing.bindings(type_.symbol, type_.arguments)
                for base in self.bases(type_.symbol):
                    for part in base.parts if isinstance(base, UnionType) else (base,):
                        if isinstance(part, Instance):
                            if part.symbol in seen:
                                continue
                            seen.add(part.symbol)
                        following.append(substitute(part, bindings))
            if not following:
                break
            levels.append(following)
        return levels

    def bases(self, owner: SymbolId) -> list[Type]:
        """Direct supertypes, as the class's own text names them."""
        if owner in self._bases:
            return self._bases[owner]
        if owner in self._busy:
            return []
        self._busy.add(owner)
        try:
            found = self._rules(owner).bases(self._names, owner)
        finally:
            self._busy.discard(owner)
        self._bases[owner] = found
        return found

    def hierarchy(self, owner: SymbolId) -> list[Type]:
        """The type and all its supertypes, nearest first."""
        return [type_ for level in self._levels(Instance(owner)) for type_ in level]

    def is_subtype(self, one: SymbolId, other: SymbolId) -> bool:
        return any(isinstance(t, Instance) and t.symbol == other for t in self.hierarchy(one))

    def constructors(self, owner: SymbolId) -> list[SymbolId]:
        """Declared constructors; inherited ones where the class has none (TypeScript, Python)."""
        for type_ in self.hierarchy(owner):
            if not isinstance(type_, Instance):
                continue
            view = self._names.view(type_.symbol.document)
            own = [
                SymbolId(type_.symbol.document, i)
                for group in view.children.get(type_.symbol.number, {}).values()
                for i in group
                if view.symbol(i).kind is SymbolKind.CONSTRUCTOR
            ]
            if own or view.family == "java":
                return sorted(own)
        return []

    def overridden(self, member: SymbolId) -> list[SymbolId]:
        """The members that this one overrides: in each supertype branch the nearest."""
        symbol = self._names.symbol(member)
        if symbol.bases:
            return self._of_trait(member)
        if symbol.container < 0:
            return []
        owner = SymbolId(member.document, symbol.container)
        found: list[SymbolId] = []
        pending, seen = list(self.bases(owner)), {owner}
        while pending and len(seen) < _MAX_TYPES:
            base = pending.pop(0)
            pending.extend(base.parts if isinstance(base, UnionType) else ())
            if not isinstance(base, Instance) or base.symbol in seen:
                continue
            seen.add(base.symbol)
            own = [
                m
                for m in self._rules(base.symbol).own_members(self._names, base.symbol, symbol.name)
                if self._names.overloads.overrides(member, m)
            ]
            found.extend(own)
            if not own:
                pending.extend(self.bases(base.symbol))
        return found

    def _of_trait(self, member: SymbolId) -> list[SymbolId]:
        """What a method of a Rust impl block implements."""
        symbol = self._names.symbol(member)
        place = Place(member.document, symbol.at.byte, -1, after=True)
        traits = [self._names.typing.of_type_text(text, place) for text in symbol.bases]
        inside = [t.symbol for t in traits if isinstance(t, Instance) and t.symbol.document >= 0]
        return [m for t in inside for m in self._rules(t).own_members(self._names, t, symbol.name) if m != member]

    def _rules(self, owner: SymbolId) -> "LanguageRules":
        return self._names.rules(self._names.view(owner.document))
