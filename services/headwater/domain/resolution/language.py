"""The port of a language's own rules: imports, visibility, inheritance, built-ins."""

from typing import TYPE_CHECKING, Protocol

from headwater.domain.document import Import, Reference, ReferenceKind
from headwater.domain.resolution.expression import Call
from headwater.domain.resolution.file_view import FileView
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import Denotation, External, Module, Type

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names
    from headwater.domain.resolution.typing import Place


class LanguageRules(Protocol):
    """All methods are pure functions of the facts; `names` is the resolver that asks."""

    def imported(self, names: "Names", view: FileView, one: Import) -> Denotation:
        """What this import binds."""
        ...

    def imported_type(self, names: "Names", view: FileView, dotted: str) -> Denotation | None:
        """A type written with its whole package; None where the language has no such names."""
        ...

    def module_member(self, names: "Names", module: Module, name: str) -> Denotation: ...

    def visible_in(
        self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind, innermost: bool
    ) -> Denotation | None:
        """What this one enclosing symbol contributes for a bare name; None to look further out."""
        ...

    def free(self, names: "Names", view: FileView, scope: int, name: str, kind: ReferenceKind) -> Denotation:
        """A bare name bound nowhere in the file: packages, wildcard imports, built-ins."""
        ...

    def refine(self, names: "Names", view: FileView, reference: Reference, target: SymbolId) -> Denotation:
        """The binding of lexical scope, corrected where the language knows better (inheritance, overloads)."""
        ...

    def own_members(self, names: "Names", owner: SymbolId, name: str) -> list[SymbolId]:
        """Members that the type itself declares, wherever in the corpus that is."""
        ...

    def bases(self, names: "Names", owner: SymbolId) -> list[Type]:
        """Direct supertypes (embedded types in Go), as instances."""
        ...

    def absent(self, names: "Names", owner: SymbolId, name: str) -> Denotation:
        """A member that the whole known hierarchy lacks."""
        ...

    def constructor_call(self, names: "Names", view: FileView, reference: Reference) -> Denotation:
        """What `this(…)` or `super(…)` calls."""
        ...

    def self_type(self, names: "Names", view: FileView, scope: int, name: str) -> Type | None:
        """The type of `this`, `self`, `super` and the like at a scope; None if `name` is none of them there."""
        ...

    def untyped(self, names: "Names", id_: SymbolId) -> Type:
        """The type of a symbol without declared or evident type (self parameters, Go constants)."""
        ...

    def call_external(
        self, names: "Names", callee: External, call: Call, receiver: Type | None, place: "Place"
    ) -> Type:
        """The result of calling something outside the corpus; `receiver` is the type before the dot, if any."""
        ...
