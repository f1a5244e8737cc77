"""Rules that hold everywhere: what languages share, and what is left for those that aren't known."""

from typing import TYPE_CHECKING

from headwater.domain.document import Import, Reference, ReferenceKind, SymbolKind
from headwater.domain.resolution.expression import Call
from headwater.domain.resolution.file_view import TYPE_KINDS, FileView, by_role
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import (
    UNKNOWN,
    Definitions,
    Denotation,
    External,
    Module,
    Type,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names


class PlainRules:
    """Knows nothing of imports and types, so that everything stays by name; see `LanguageRules` for the methods."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        return UNKNOWN

    def imported_type(self, names: "Names", view: FileView, dotted: str) -> Denotation | None:
        return None

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation:
        return UNKNOWN

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        """Functions show everything declared in them, types their type parameters."""
        found = view.named_children(scope, name)
        if view.symbol(scope).kind in TYPE_KINDS:
            found = [i for i in found if view.symbol(i).kind is SymbolKind.TYPE_PARAMETER]
        if kind is ReferenceKind.TYPE and view.family != "python":
            found = [i for i in found if view.symbol(i).kind in _TYPES]
        return _found(view, by_role(view, found, kind))

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        return UNKNOWN

    def refine(self, names: "Names", view: FileView, reference: Reference, target: SymbolId) -> Denotation:
        same = view.same_symbol(target.number)
        return Definitions(tuple(SymbolId(view.document, i) for i in same) or (target,))

    def own_members(self, names: "Names", owner: SymbolId, name: str) -> list[SymbolId]:
        view = names.view(owner.document)
        found = view.named_children(owner.number, name)
        return [SymbolId(owner.document, i) for i in found if view.symbol(i).kind not in _NO_MEMBERS]

    def bases(self, names: "Names", owner: SymbolId) -> list[Type]:
        """The supertypes as written, seen from where the type is declared."""
        symbol = names.symbol(owner)
        place = Place(owner.document, symbol.at.byte, owner.number, after=True)
        return [names.typing.of_type_text(text, place) for text in symbol.bases]

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        return UNKNOWN

    def constructor_call(self, names: "Names", view: FileView, reference: Reference) -> Denotation:
        return UNKNOWN

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        return None

    def untyped(self, names: "Names", id_: SymbolId) -> Type:
        return UNKNOWN

    def call_external(self, names: "Names", callee: External, call: Call, receiver: Type | None, place: Place) -> Type:
        return UNKNOWN


_TYPES = TYPE_KINDS | {SymbolKind.TYPE_PARAMETER}
_NO_MEMBERS = frozenset({SymbolKind.TYPE_PARAMETER, SymbolKind.PARAMETER, SymbolKind.LABEL, SymbolKind.CONSTRUCTOR})


def _found(view: FileView, indices: list[int]) -> Definitions | None:
    return Definitions(tuple(SymbolId(view.document, i) for i in indices)) if indices else None
