"""Whether a use whose meaning can't be told could be a use of a given symbol at all."""

from typing import TYPE_CHECKING

from headwater.domain.document import Reference, ReferenceKind, Symbol, SymbolKind
from headwater.domain.resolution.file_view import CALLABLE_KINDS, TYPE_KINDS, FileView
from headwater.domain.resolution.source import SymbolId

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_MEMBERS = frozenset(
    {SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.PROPERTY, SymbolKind.ACCESSOR, SymbolKind.ENUM_MEMBER}
)
_LOCAL = frozenset({SymbolKind.LOCAL, SymbolKind.LABEL, SymbolKind.TYPE_PARAMETER, SymbolKind.PARAMETER})


def is_plausible(names: "Names", view: FileView, reference: Reference, id_: SymbolId) -> bool:
    """False only where the language rules it out: another family, wrong shape, out of reach."""
    home = names.view(id_.document)
    symbol = names.symbol(id_)
    if home.world != view.world:
        return False
    if home.family != view.family:
        return symbol.kind not in _LOCAL and _in_reach(home, view, symbol)
    if symbol.kind in _LOCAL:
        return reference.receiver.endswith("(") and symbol.kind is SymbolKind.PARAMETER
    member = symbol.container >= 0 and home.symbol(symbol.container).kind in TYPE_KINDS
    if not _shape_fits(view, reference, symbol, member):
        return False
    if reference.kind is ReferenceKind.CALL and not _arity_fits(names, home, id_, symbol, reference):
        return False
    return _in_reach(home, view, symbol)


def _shape_fits(view: FileView, reference: Reference, symbol: Symbol, member: bool) -> bool:
    if view.family == "rust":
        return _rust_shape(reference, symbol)
    if not reference.receiver:
        return not member or view.family == "java" or not view.family
    if reference.receiver.endswith("("):
        return False
    if view.family == "python" and reference.receiver.partition(".")[0] in view.imports:
        return True  # of a module that isn't known well enough
    return member or symbol.kind in _MEMBERS or not view.family


def _rust_shape(reference: Reference, symbol: Symbol) -> bool:
    """`x.name(…)` calls a method, `x.name` reads a field; paths (`a::name`) may name anything."""
    if symbol.kind is SymbolKind.FIELD:
        return reference.kind is not ReferenceKind.CALL
    if symbol.kind is SymbolKind.METHOD and reference.receiver and reference.arguments is None:
        return "::" in reference.receiver or reference.receiver[:1].isupper()
    return True


def _arity_fits(names: "Names", home: FileView, id_: SymbolId, symbol: Symbol, reference: Reference) -> bool:
    if symbol.kind not in CALLABLE_KINDS or reference.arguments is None or home.family != "java":
        return True
    return names.overloads.takes(id_, len(reference.arguments))


def _in_reach(home: FileView, view: FileView, symbol: Symbol) -> bool:
    if home.document == view.document:
        return True
    if home.family == "java":
        return "private" not in symbol.modifiers
    if home.family == "go":
        return symbol.name[:1].isupper() or home.directory == view.directory
    return not symbol.name.startswith("#")
