"""Java: packages, imports, inherited and enclosing members, nested types, constructor calls."""

import re
from typing import TYPE_CHECKING

from headwater.domain.document import Import, Reference, ReferenceKind, SymbolKind
from headwater.domain.resolution import containers
from headwater.domain.resolution.expression import Call, Member, Name
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.file_view import CALLABLE_KINDS, TYPE_KINDS, FileView, by_role
from headwater.domain.resolution.rules import java_library as library
from headwater.domain.resolution.rules.plain import PlainRules
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    Definitions,
    Denotation,
    External,
    Instance,
    Module,
    Type,
    Variable,
    union,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names


class JavaRules(PlainRules):
    """Module keys are `java:<package>`."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        if not one.static:
            return self.imported_type(names, view, f"{one.module}.{one.name}") or External(one.name)
        owner = self.imported_type(names, view, one.module)
        if not isinstance(owner, Definitions):
            return EXTERNAL
        found = [names.members.find(Instance(s), one.name, k) for s in owner.symbols for k in _STATIC_ROLES]
        symbols = [s for f in found if isinstance(f, Definitions) for s in f.symbols]
        return Definitions(tuple(dict.fromkeys(symbols))) if symbols else UNKNOWN

    def imported_type(self, names: "Names", view: FileView, dotted: str) -> Denotation | None:
        """The type of this full name."""
        name = dotted.rpartition(".")[2]
        if "." not in dotted and view.facts.package:
            return None
        ids = [s for s, symbol, _ in names.defining(name) if symbol.qualified == dotted and symbol.kind in TYPE_KINDS]
        return Definitions(tuple(ids)) if ids else None

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        package = module.key.partition(":")[2]
        return self.imported_type(names, names.view(module.document), f"{package}.{name}") or EXTERNAL

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        """Types show their members and inherited ones; functions what is declared in them."""
        symbol = view.symbol(scope)
        if not view.is_type(scope):
            found = by_role(view, view.named_children(scope, name), kind)
            return _all(view, [i for i in found if _has_role(view.symbol(i).kind, kind)])
        parameters = [i for i in view.named_children(scope, name) if view.symbol(i).kind is SymbolKind.TYPE_PARAMETER]
        if parameters and kind is ReferenceKind.TYPE:
            return _all(view, parameters)
        if symbol.name == name and kind is not ReferenceKind.CALL:
            return _all(view, [scope])
        member = names.members.find(Instance(SymbolId(view.document, scope)), name, kind)
        if not isinstance(member, Definitions):
            return None
        fitting = tuple(s for s in member.symbols if _has_role(names.symbol(s).kind, kind))
        return Definitions(fitting, member.owner) if fitting else None

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        package = view.facts.package
        found = self.imported_type(names, view, f"{package}.{name}" if package else name)
        if found is not None:
            return found
        for one in view.wildcards:
            through = self._through_wildcard(names, view, one, name, kind)
            if through is not None:
                return through
        return External(name)

    def _through_wildcard(
        self, names: "Names", view: FileView, one: Import, name: str, kind: ReferenceKind
    ) -> Denotation | None:
        if not one.static:
            return self.imported_type(names, view, f"{one.module}.{name}")
        owner = self.imported_type(names, view, one.module)
        if not isinstance(owner, Definitions):
            return None
        found = names.members.find(Instance(owner.symbols[0]), name, kind)
        return found if isinstance(found, Definitions) else None

    def refine(self, names: "Names", view: FileView, reference: Reference, target: SymbolId) -> Denotation:
        """Lexical scope knows nothing of inherited members and overloads: look again, unless it is a local."""
        owner = reference.scope
        if owner >= 0 and view.is_head(owner, reference) and _names_nested(view, owner, reference.name):
            return names.lookup(view, view.symbol(owner).container, reference.name, reference.kind)
        kind = view.symbol(target.number).kind if target.number >= 0 else SymbolKind.CLASS
        if kind in _LOCALS and _has_role(kind, reference.kind):
            return Definitions((target,))
        found = names.lookup(view, reference.scope, reference.name, reference.kind)
        return found if isinstance(found, Definitions) or target.number < 0 else Definitions((target,))

    def bases(self, names: "Names", owner: SymbolId) -> list[Type]:
        symbol = names.symbol(owner)
        if symbol.kind is SymbolKind.ENUM_MEMBER:
            return [Instance(SymbolId(owner.document, symbol.container))]
        found = super().bases(names, owner)
        view = names.view(owner.document)
        if any(_names_nested(view, owner.number, text) for text in symbol.bases):  # the head doesn't see the body
            place = Place(owner.document, symbol.at.byte, symbol.container, after=True)
            found = [names.typing.of_type_text(text, place) for text in symbol.bases]
        return [*found, External("Enum")] if symbol.kind is SymbolKind.ENUM else found

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        return EXTERNAL if name in library.OF_OBJECT else UNKNOWN

    def constructor_call(self, names: "Names", view: FileView, reference: Reference) -> Denotation:
        owner = view.enclosing_type(reference.scope)
        if owner < 0:
            return UNKNOWN
        id_ = SymbolId(view.document, owner)
        classes: list[Type] = [Instance(id_)] if reference.name == "this" else names.members.bases(id_)
        inside = [
            c for c in classes if isinstance(c, Instance) and names.symbol(c.symbol).kind is not SymbolKind.INTERFACE
        ]
        if not inside:
            return EXTERNAL
        place = Place(view.document, reference.at.byte, reference.scope, after=True)
        arguments = tuple(parse_expression(a, "java") for a in reference.arguments or ())
        constructors = names.members.constructors(inside[0].symbol)
        return Definitions(tuple(names.overloads.fitting(constructors, arguments, place)))

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        if name not in ("this", "super"):
            return None
        owner = view.enclosing_type(scope)
        if owner < 0:
            return UNKNOWN
        id_ = SymbolId(view.document, owner)
        if name == "super":
            classes = [b for b in names.members.bases(id_) if not self._is_interface(names, b)]
            return union(classes) if classes else External("Object")
        return Instance(id_, tuple(Variable(SymbolId(view.document, p)) for p in view.type_parameters(owner)))

    def _is_interface(self, names: "Names", type_: Type) -> bool:
        return isinstance(type_, Instance) and names.symbol(type_.symbol).kind is SymbolKind.INTERFACE

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        name = call.callee.name if isinstance(call.callee, Name | Member) else ""
        known = containers.method_result(receiver, name) if receiver is not None else None
        if known is not None:
            return known
        given = [names.typing.of_expression(a, place) for a in call.arguments]
        if name in ("max", "min") and len(given) == 2:
            return containers.arithmetic("-", *given)
        if name in library.PASSES_ON and given:
            return given[0]
        return library.result(receiver, name, given)


_LOCALS = frozenset({SymbolKind.PARAMETER, SymbolKind.LOCAL, SymbolKind.TYPE_PARAMETER, SymbolKind.LABEL})
_STATIC_ROLES = (ReferenceKind.CALL, ReferenceKind.READ, ReferenceKind.TYPE)


def _names_nested(view: FileView, owner: int, base: str) -> bool:
    """Whether a supertype as written has the name of a type nested in the class itself."""
    name = re.split(r"[<.]", base, maxsplit=1)[0]
    return any(view.symbol(i).kind in TYPE_KINDS for i in view.named_children(owner, name))


def _has_role(kind: SymbolKind, use: ReferenceKind) -> bool:
    """Methods, values and types have name spaces of their own."""
    if use is ReferenceKind.CALL:
        return kind in CALLABLE_KINDS or kind in TYPE_KINDS
    if use is ReferenceKind.TYPE:
        return kind in TYPE_KINDS or kind is SymbolKind.TYPE_PARAMETER
    return kind not in CALLABLE_KINDS


def _all(view: FileView, indices: list[int]) -> Definitions | None:
    return Definitions(tuple(SymbolId(view.document, i) for i in indices)) if indices else None
