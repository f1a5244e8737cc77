"""What names denote: the one resolver, which asks the rules of each file's language where languages differ."""

import re
from collections.abc import Iterable, Sequence

from headwater.domain.document import Import, Reference, ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution import containers
from headwater.domain.resolution.file_view import CALLABLE_KINDS, TYPE_KINDS, FileView, by_role
from headwater.domain.resolution.language import LanguageRules
from headwater.domain.resolution.members import Members
from headwater.domain.resolution.overloads import Overloads
from headwater.domain.resolution.rules import rules_of
from headwater.domain.resolution.source import Declared, FactsSource, SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    Denotation,
    External,
    Functions,
    Instance,
    Module,
    Type,
    UnionType,
    union,
)
from headwater.domain.resolution.typing import Place, Typing

_MAX_DEPTH = 40
_DOTTED = re.compile(r"[\w$]+(\.[\w$]+)*")


class Names:
    """Holds the files seen so far; one instance serves any number of questions on one generation."""

    def __init__(self, source: FactsSource) -> None:
        self.source = source
        self._views: dict[int, FileView] = {}
        self._imported: dict[tuple[int, int], Denotation] = {}
        self._denoted: dict[tuple[int, int], Denotation] = {}
        self._busy: set[tuple[int, int]] = set()
        self._depth = 0
        self.typing = Typing(self)
        self.members = Members(self)
        self.overloads = Overloads(self)

    def view(self, document: int) -> FileView:
        known = self._views.get(document)
        if known is None:
            known = FileView(document, self.source.path(document), self.source.facts(document))
            self._views[document] = known
        return known

    def symbol(self, id_: SymbolId) -> Symbol:
        return self.view(id_.document).facts.symbols[id_.number]

    def rules(self, view: FileView) -> LanguageRules:
        return rules_of(view.family)

    def denote(self, view: FileView, reference: Reference) -> Denotation:
        """What one use means. A call means the overloads that fit it; `new T()` also means T's constructor."""
        key = (view.document, reference.at.byte)
        known = self._denoted.get(key)
        if known is not None:
            return known
        if self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            found = self._denote(view, reference)
            if isinstance(found, Definitions) and reference.kind is ReferenceKind.CALL:
                found = self.overloads.narrow(view, reference, found)
        finally:
            self._depth -= 1
        self._denoted[key] = found
        return found

    def _denote(self, view: FileView, reference: Reference) -> Denotation:
        if reference.receiver:
            return self._member(view, reference)
        if reference.kind is ReferenceKind.IMPORT and reference.import_ >= 0:
            return self.imported(view, reference.import_)  # the token that binds an alias
        if reference.kind is ReferenceKind.IMPORT:
            return EXTERNAL  # part of a module's path; what is imported are the file's imports
        if reference.kind is ReferenceKind.CALL and reference.name in ("this", "super"):
            return self.rules(view).constructor_call(self, view, reference)
        if reference.target >= 0:
            return self.rules(view).refine(self, view, reference, SymbolId(view.document, reference.target))
        if reference.import_ >= 0:
            return self.imported(view, reference.import_)
        if view.family == "java":
            return self.rules(view).refine(self, view, reference, SymbolId(view.document, -1))
        look = self.free if view.family == "go" else self.lookup  # Go binds everything, or the name isn't of this file
        return look(view, reference.scope, reference.name, reference.kind)

    def _member(self, view: FileView, reference: Reference) -> Denotation:
        receiver, name = reference.receiver, reference.name
        place = Place(view.document, reference.at.byte, reference.scope, after=False)
        if receiver.endswith("("):
            return self._keyword(self.typing.of_text(receiver[:-1], place), name)
        if receiver.endswith("{"):
            return self.member_of(self._literal(receiver, place), name, reference)
        found = self.member_of(self.typing.marked(receiver, place), name, reference)
        if isinstance(found, Definitions) or not _DOTTED.fullmatch(receiver):
            return found
        return self.rules(view).imported_type(self, view, f"{receiver}.{name}") or found

    def _literal(self, receiver: str, place: Place) -> Type:
        """The type of the literal whose key this is: `T{`, `[]T{{` where the inner type is left out."""
        written = receiver.rstrip("{")
        type_ = self.typing.of_type_text(written, place)
        for _ in range(len(receiver) - len(written) - 1):
            type_ = containers.element(self, type_, self.view(place.document).family)
        return type_

    def _keyword(self, callee: Type, name: str) -> Denotation:
        """The parameter that a keyword argument names."""
        functions: Iterable[SymbolId] = ()
        if isinstance(callee, Functions):
            functions = callee.symbols
        elif isinstance(callee, ClassOf | Instance):
            constructor = "__init__" if isinstance(callee, ClassOf) else "__call__"
            found = self.members.find(callee, constructor)
            if not isinstance(found, Definitions):
                return found
            functions = found.symbols
        elif not isinstance(callee, UnionType):
            return EXTERNAL if isinstance(callee, External) else UNKNOWN
        ids = [
            SymbolId(f.document, i)
            for f in functions
            for i in self.view(f.document).named_children(f.number, name)
            if self.symbol(SymbolId(f.document, i)).kind is SymbolKind.PARAMETER
        ]
        return Definitions(tuple(ids)) if ids else UNKNOWN

    def member_of(self, receiver: Type, name: str, reference: Reference | None = None) -> Denotation:
        """The member `name` of a value of type `receiver`."""
        if isinstance(receiver, UnionType):
            return self._member_of_any(receiver, name, reference)
        if isinstance(receiver, Module):
            rules = rules_of(receiver.key.partition(":")[0])
            return rules.module_member(self, receiver, name)
        return self.members.find(receiver, name, reference.kind if reference else None)

    def _member_of_any(self, receiver: UnionType, name: str, reference: Reference | None) -> Denotation:
        found = [self.member_of(part, name, reference) for part in receiver.parts]
        symbols = [s for f in found if isinstance(f, Definitions) for s in f.symbols]
        if symbols:
            owners = [f.owner for f in found if isinstance(f, Definitions)]
            return Definitions(tuple(dict.fromkeys(symbols)), owners[0])
        return EXTERNAL if all(isinstance(f, External) for f in found) else UNKNOWN

    def imported(self, view: FileView, index: int) -> Denotation:
        """What an import binds, followed through re-exports."""
        key = (view.document, index)
        if key in self._imported:
            return self._imported[key]
        if key in self._busy:
            return UNKNOWN
        self._busy.add(key)
        try:
            found = self.rules(view).imported(self, view, view.facts.imports[index])
        finally:
            self._busy.discard(key)
        self._imported[key] = found
        return found

    def lookup(self, view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        """A bare name as seen from a scope, when no use of it is at hand that lexical scope has bound."""
        rules = self.rules(view)
        for around in view.enclosing(scope):
            found = rules.visible_in(self, view, around, name, kind, around == scope)
            if found is not None:
                return found
        top = [i for i in view.named_children(-1, name) if view.symbol(i).kind is not SymbolKind.FIELD]
        if top:
            return Definitions(tuple(SymbolId(view.document, i) for i in by_role(view, top, kind)))
        if name in view.imports:
            return self.imported(view, view.imports[name][-1])
        return self.free(view, scope, name, kind)

    def free(self, view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        """A bare name that nothing in its file binds."""
        return self.rules(view).free(self, view, scope, name, kind)

    def value(self, found: Denotation) -> Type:
        """The type of what a name denotes, taken as a value (a class as itself)."""
        if not isinstance(found, Definitions):
            return found
        symbols = [(s, self.symbol(s)) for s in found.symbols]
        functions = tuple(s for s, symbol in symbols if symbol.kind in CALLABLE_KINDS)
        if functions:
            return Functions(functions, found.owner)
        values = [
            s for s, symbol in symbols if symbol.kind not in TYPE_KINDS and symbol.kind is not SymbolKind.NAMESPACE
        ]
        if not values:
            return self._type_as_value(found)
        return union(self.typing.in_owner(self.typing.of_symbol(s), found.owner) for s in values[:4])

    def _type_as_value(self, found: Definitions) -> Type:
        first = found.symbols[0]
        if self.symbol(first).kind is SymbolKind.NAMESPACE:
            return ClassOf(first)
        return self.typing.class_value(first)

    def defining(self, name: str) -> Sequence[Declared]:
        """Non-local definitions of this name with their paths."""
        return self.source.defining(name)

    def import_of(self, view: FileView, index: int) -> Import:
        return view.facts.imports[index]
