"""TypeScript and JavaScript: relative modules, re-exports, namespaces, this and super, merged declarations."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from headwater.domain.document import Import, ReferenceKind, SymbolKind
from headwater.domain.resolution import containers
from headwater.domain.resolution.expression import Call, Member, Name
from headwater.domain.resolution.file_view import TYPE_KINDS, FileView, by_role
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
    Unknown,
    Variable,
    union,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_SUFFIXES = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_INDICES = tuple(f"/index{s}" for s in _SUFFIXES[1:])
_OF_OBJECT = frozenset(
    {
        "toString",
        "valueOf",
        "hasOwnProperty",
        "constructor",
        "prototype",
        "isPrototypeOf",
        "call",
        "apply",
        "bind",
        "name",
        "length",
    }
)
_OBJECT_MEMBERS = frozenset({SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.METHOD, SymbolKind.ACCESSOR})
_ACCESS = frozenset({"public", "private", "protected", "readonly"})
_MAX_REEXPORTS = 60


class TypeScriptRules(PlainRules):
    """Module keys are `typescript:<path>`; `document` is the module's file."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        if not one.module:  # export { a as b }
            found = (
                names.lookup(view, -1, one.name, ReferenceKind.READ)
                if one.name not in view.imports or one.alias != one.name
                else None
            )
            return found or UNKNOWN
        document = self._document(names, view, one.module)
        if document is None:
            return UNKNOWN if one.module.startswith(".") or names.source.defining(one.name) else External(one.module)
        module = Module(f"typescript:{names.source.path(document)}", document)
        return self.module_member(names, module, one.name) if one.name and one.name != "*" else module

    def _document(self, names: "Names", view: FileView, module: str) -> int | None:
        if not module.startswith("."):
            return None
        path = _normal(PurePosixPath(view.directory) / module)
        stem = path.removesuffix(".js").removesuffix(".mjs").removesuffix(".jsx")
        for candidate in (
            *(path + s for s in _SUFFIXES),
            *(stem + s for s in _SUFFIXES),
            *(path + s for s in _INDICES),
        ):
            document = names.source.document_at(candidate.lstrip("/"))
            if document is not None:
                return document
        return None

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        return self._exported(names, module.document, name, set()) or UNKNOWN

    def _exported(self, names: "Names", document: int, name: str, seen: set[int]) -> Denotation | None:
        if document in seen or len(seen) > _MAX_REEXPORTS:
            return None
        seen.add(document)
        view = names.view(document)
        own = view.named_children(-1, name) if name != "default" else _default(view)
        if own:
            return Definitions(tuple(SymbolId(document, i) for i in own))
        for i in view.imports.get(name, ()):
            found = names.imported(view, i)
            if not isinstance(found, Unknown):
                return found
        for one in view.wildcards:
            target = self._document(names, view, one.module)
            found_there = None if target is None else self._exported(names, target, name, seen)
            if found_there is not None:
                return found_there
        return None

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        return External(name)

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        if view.symbol(scope).kind in (SymbolKind.NAMESPACE, SymbolKind.ENUM):
            own = by_role(view, view.named_children(scope, name), kind)
            return Definitions(tuple(SymbolId(view.document, i) for i in own)) if own else None
        return super().visible_in(names, view, scope, name, kind, innermost)

    def own_members(self, names: "Names", owner: SymbolId, name: str) -> list[SymbolId]:
        """Members of every merged declaration, and constructor parameters that are properties."""
        view = names.view(owner.document)
        if names.symbol(owner).kind in _OBJECT_MEMBERS:  # of an object without a name, known by its first member
            fields = [i for i in view.fields_from(owner.number) if view.symbol(i).name == name]
            return [SymbolId(owner.document, i) for i in fields]
        found: list[SymbolId] = []
        for declaration in view.same_symbol(owner.number):
            found += super().own_members(names, SymbolId(owner.document, declaration), name)
            for constructor in view.named_children(declaration, "constructor"):
                found += [
                    SymbolId(owner.document, i)
                    for i in view.named_children(constructor, name)
                    if _ACCESS & set(view.symbol(i).modifiers)
                ]
        return found

    def bases(self, names: "Names", owner: SymbolId) -> list[Type]:
        view = names.view(owner.document)
        return [
            base
            for declaration in view.same_symbol(owner.number)
            if view.symbol(declaration).kind in TYPE_KINDS
            for base in super(TypeScriptRules, self).bases(names, SymbolId(owner.document, declaration))
        ]

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        return EXTERNAL if name in _OF_OBJECT else UNKNOWN

    def constructor_call(self, names: "Names", view: FileView, reference: object) -> Denotation:
        return EXTERNAL  # `new` and `super(…)` are uses of the class here, not of its constructor

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        if name not in ("this", "super"):
            return None
        for around in view.enclosing(scope):
            symbol = view.symbol(around)
            declared = view.named_children(around, "this")
            if declared and symbol.kind not in TYPE_KINDS:
                return names.typing.of_symbol(SymbolId(view.document, declared[0]))
            in_object = symbol.kind is SymbolKind.METHOD and (
                symbol.container < 0 or not view.is_type(symbol.container)
            )
            if in_object and "arrow" not in symbol.modifiers:
                return UNKNOWN
            if symbol.kind in TYPE_KINDS:
                id_ = SymbolId(view.document, around)
                if name == "super":
                    return union(names.members.bases(id_)[:1])
                return Instance(id_, tuple(Variable(SymbolId(view.document, p)) for p in view.type_parameters(around)))
        return UNKNOWN

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        name = call.callee.name if isinstance(call.callee, Name | Member) else ""
        known = containers.method_result(receiver, name) if receiver is not None else None
        if known is not None:
            return known
        given = [names.typing.of_expression(a, place) for a in call.arguments]
        return EXTERNAL if all(isinstance(g, External) for g in given) and receiver is None else UNKNOWN


def _default(view: FileView) -> list[int]:
    return [i for group in view.children[-1].values() for i in group if "default" in view.symbol(i).modifiers]


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
