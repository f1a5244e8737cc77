"""Rust: impl blocks anywhere in the crate, self and Self, module paths by file, traits and what implements them."""

from typing import TYPE_CHECKING

from headwater.domain.document import Import, ReferenceKind, Symbol, SymbolKind
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
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_IMPLEMENTED = frozenset({SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.TRAIT})
_ROOTS = frozenset({"crate", "self", "super"})
_OUTSIDE = frozenset({"std", "core", "alloc"})
_GIVES_INNER = frozenset(
    {"unwrap", "expect", "unwrap_or_default", "clone", "as_ref", "as_mut", "borrow", "borrow_mut", "lock", "read",
     "write",
     "to_owned", "as_deref", "take", "iter", "iter_mut", "into_iter"}
)  # fmt: skip
_PRELUDE = frozenset({"Some", "None", "Ok", "Err", "String", "Vec", "Option", "Result", "Box", "str", "bool", "char"})
_TEXT = frozenset(
    {"String", "str", "Vec", "bool", "char", "usize", "u64", "u32", "u8", "i64", "i32", "f64", "PathBuf", "Path"}
)


class RustRules(PlainRules):
    """Module keys are `rust:<path>`, as written after `crate::`, with dots."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        parts = [p for p in one.module.split("::") if p]
        if parts and parts[0] in _OUTSIDE:
            return External(one.name)
        if not one.name:
            return UNKNOWN
        found = [s for s, symbol, _ in names.defining(one.name) if _in_module(symbol, parts, one.name)]
        return Definitions(tuple(found)) if len(found) == 1 else UNKNOWN

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        return UNKNOWN

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        if view.symbol(scope).kind in (SymbolKind.MODULE, SymbolKind.NAMESPACE):
            own = by_role(view, view.named_children(scope, name), kind)
            return Definitions(tuple(SymbolId(view.document, i) for i in own)) if own else None
        return super().visible_in(names, view, scope, name, kind, innermost)

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        return External(name) if name in _PRELUDE else UNKNOWN

    def own_members(self, names: "Names", owner: SymbolId, name: str) -> list[SymbolId]:
        """Fields and variants inside, methods of every impl block of a type of that name."""
        symbol = names.symbol(owner)
        here = super().own_members(names, owner, name)
        if symbol.kind in (SymbolKind.TYPE, SymbolKind.TYPE_PARAMETER):
            return here  # impl blocks of that name are of another type
        there = [
            s
            for s, other, _ in names.defining(name)
            if other.kind is SymbolKind.METHOD
            and _owner_name(other) == symbol.name
            and (s.document == owner.document or self._only_one(names, symbol))
        ]
        return list(dict.fromkeys([*here, *there]))

    def _only_one(self, names: "Names", symbol: Symbol) -> bool:
        """Whether the crate has one type of this name, so that its impl blocks may stand in any file."""
        return sum(s.kind in TYPE_KINDS for _, s, _ in names.defining(symbol.name)) == 1

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        if name not in ("self", "Self"):
            return None
        method = next((s for s in view.enclosing(scope) if view.symbol(s).kind is SymbolKind.METHOD), -1)
        if method < 0:
            return UNKNOWN
        symbol = view.symbol(method)
        if symbol.container >= 0 and view.symbol(symbol.container).kind in TYPE_KINDS:
            return Instance(SymbolId(view.document, symbol.container))
        found = names.lookup(view, -1, _owner_name(symbol), ReferenceKind.TYPE)
        if not isinstance(found, Definitions) or names.symbol(found.symbols[0]).kind not in _IMPLEMENTED:
            return UNKNOWN
        return Instance(found.symbols[0])

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        return UNKNOWN  # of a trait that the type implements, or of what it dereferences to

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        name = call.callee.name if isinstance(call.callee, Name | Member) else ""
        if name in ("Some", "Ok") and call.arguments:
            return names.typing.of_expression(call.arguments[0], place)
        if isinstance(receiver, External) and receiver.name in _TEXT and not receiver.arguments:
            return EXTERNAL
        known = containers.method_result(receiver, name) if receiver is not None else None
        if known is not None:
            return known
        return receiver if receiver is not None and name in _GIVES_INNER else UNKNOWN


def _owner_name(symbol: Symbol) -> str:
    """The type whose impl block a method stands in: the last part but one of its full name."""
    return symbol.qualified.split(".")[-2] if "." in symbol.qualified else ""


def _in_module(symbol: Symbol, parts: list[str], name: str) -> bool:
    wanted = [p for p in parts if p not in _ROOTS]
    have = symbol.qualified.split(".")
    return have[-1] == name and have[:-1][-len(wanted) :] == wanted if wanted else True
