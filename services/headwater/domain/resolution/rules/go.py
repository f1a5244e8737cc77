"""Go: packages by folder and module path, methods across files, embedding, built-in functions."""

from typing import TYPE_CHECKING

from headwater.domain.document import Import, ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution.expression import Call, Construct, Expression, Name
from headwater.domain.resolution.file_view import FileView
from headwater.domain.resolution.rules.plain import PlainRules
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    ClassOf,
    Definitions,
    Denotation,
    External,
    Instance,
    Module,
    Type,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_UNIVERSE = frozenset(
    {"append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
     "panic", "print", "println", "real", "recover", "bool", "byte", "comparable", "complex64", "complex128",
     "error", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8",
     "uint16", "uint32", "uint64", "uintptr", "any", "true", "false", "iota", "nil"}
)  # fmt: skip


class GoRules(PlainRules):
    """Module keys are `go:<folder>`; `document` is the importing file."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        folder = self._folder(names, view, one.module)
        return External(one.module) if folder is None else Module(f"go:{folder}", view.document)

    def _folder(self, names: "Names", view: FileView, path: str) -> str | None:
        """The corpus's folder that this import path means, None outside. Without a go.mod: by the longest suffix."""
        module = names.source.go_module(view.path)
        if module is not None:
            root, prefix = module
            if path == prefix:
                return root
            if path.startswith(prefix + "/"):
                return "/".join(p for p in (root, path[len(prefix) + 1 :]) if p)
        parts = path.split("/")
        if "." not in parts[0]:
            return None
        for start in range(1, len(parts)):
            folder = "/".join(parts[start:])
            if names.source.has_folder(folder):
                return folder
        return None

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        return _top_level(names, module.key.partition(":")[2], name, None) or UNKNOWN

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        found = _top_level(names, view.directory, name, view.facts.package)
        if found is not None:
            return found
        for one in view.wildcards:
            folder = self._folder(names, view, one.module)
            found = None if folder is None else _top_level(names, folder, name, None)
            if found is not None:
                return found
        return External(name) if name in _UNIVERSE else UNKNOWN

    def refine(self, names: "Names", view: FileView, reference: object, target: SymbolId) -> Denotation:
        """A package-level name may be declared again under other build constraints: all of them are meant."""
        symbol = view.symbol(target.number)
        if symbol.local or symbol.container >= 0:
            return Definitions((target,))
        return _top_level(names, view.directory, symbol.name, view.facts.package) or Definitions((target,))

    def own_members(self, names: "Names", owner: SymbolId, name: str) -> list[SymbolId]:
        """Fields and methods; methods stand in any file of the package."""
        symbol = names.symbol(owner)
        if symbol.kind is SymbolKind.FIELD:  # of an anonymous struct, which is known by its first field
            view = names.view(owner.document)
            fields = [i for i in view.fields_from(owner.number) if view.symbol(i).name == name]
            return [SymbolId(owner.document, i) for i in fields]
        here = super().own_members(names, owner, name)
        if symbol.local:
            return here
        directory = names.view(owner.document).directory
        wanted = f"{symbol.qualified}.{name}"
        there = [
            s
            for s, other, path in names.defining(name)
            if other.qualified == wanted and path.rpartition("/")[0] == directory and _is_member(other)
        ]
        return list(dict.fromkeys([*here, *there]))

    def bases(self, names: "Names", owner: SymbolId) -> list[Type]:
        """Embedded types, and what a defined type is defined as."""
        view = names.view(owner.document)
        symbol = view.symbol(owner.number)
        found = super().bases(names, owner)
        for group in view.children.get(owner.number, {}).values():
            for i in group:
                if "embedded" in view.symbol(i).modifiers:
                    found.append(names.typing.of_symbol(SymbolId(owner.document, i)))
        if symbol.kind is SymbolKind.TYPE and symbol.type and "alias" not in symbol.modifiers:
            found.append(names.typing.of_symbol(owner))
        return found

    def untyped(self, names: "Names", id_: SymbolId) -> Type:
        return External("int") if names.symbol(id_).kind is SymbolKind.CONSTANT else UNKNOWN

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        if not isinstance(call.callee, Name) or not call.arguments:
            return EXTERNAL
        match call.callee.name:
            case "make" | "new":
                return self._type_argument(names, call.arguments[0], place)
            case "append" | "min" | "max":
                return names.typing.of_expression(call.arguments[0], place)
            case "len" | "cap" | "copy":
                return External("int")
            case name:
                return External(name)

    def _type_argument(self, names: "Names", tree: Expression, place: Place) -> Type:
        found = names.typing.of_expression(tree, place)
        if isinstance(tree, Construct):
            return found
        return Instance(found.symbol) if isinstance(found, ClassOf) else found


def _is_member(symbol: Symbol) -> bool:
    return symbol.kind in (SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.PROPERTY)


def _top_level(names: "Names", folder: str, name: str, package: str | None) -> Definitions | None:
    """Package-level declarations of a name in a folder; of one package there, or of that which is no test package."""
    ids = []
    for id_, symbol, path in names.defining(name):
        if path.rpartition("/")[0] != folder or not path.endswith(".go") or "." in symbol.qualified.partition(".")[2]:
            continue
        own = symbol.qualified.partition(".")[0]
        if own == package or (package is None and not own.endswith("_test")):
            ids.append(id_)
    return Definitions(tuple(ids)) if ids else None
