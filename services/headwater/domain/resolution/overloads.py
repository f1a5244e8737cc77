"""Which of several functions of one name a call means: by number of arguments, and in Java by their evident types."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwater.domain.document import Reference, SymbolKind
from headwater.domain.resolution.conversions import PRIMITIVES, Conversions, Cost
from headwater.domain.resolution.expression import Expression
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.file_view import CALLABLE_KINDS, TYPE_KINDS, FileView
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.type_syntax import parse_type
from headwater.domain.resolution.type_tree import ListOf, Named
from headwater.domain.resolution.types import Definitions, External, ListType, Type, Variable
from headwater.domain.resolution.typing import VARIADIC, Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names


class Overloads:
    def __init__(self, names: "Names") -> None:
        self._names = names
        self._conversions = Conversions(names)

    def narrow(self, view: FileView, reference: Reference, found: Definitions) -> Definitions:
        """The callables that this call can mean, and for a class its constructor."""
        if view.family != "java":
            return found
        place = Place(view.document, reference.at.byte, reference.scope, after=True)
        arguments = tuple(parse_expression(a, view.family) for a in reference.arguments or ())
        if reference.arguments is not None and all(self._is(s, TYPE_KINDS) for s in found.symbols):
            constructors = [c for s in found.symbols for c in self._names.members.constructors(s)]
            return Definitions((*found.symbols, *self.fitting(constructors, arguments, place)), found.owner)
        callables = [s for s in found.symbols if self._is(s, CALLABLE_KINDS)]
        if reference.arguments is None or not callables:
            return found
        return Definitions(tuple(self.fitting(callables, arguments, place)), found.owner)

    def _is(self, id_: SymbolId, kinds: frozenset[SymbolKind]) -> bool:
        return self._names.symbol(id_).kind in kinds

    def fitting(self, functions: Sequence[SymbolId], arguments: tuple[Expression, ...], place: Place) -> list[SymbolId]:
        """Those that the arguments fit best, nearest declaration first; all of them if none fits."""
        if len(functions) < 2:
            return list(functions)
        taking = [f for f in functions if self.takes(f, len(arguments))] or list(functions)
        if len(taking) == 1 or self._names.view(place.document).family != "java":
            return taking
        types = [self._conversions.argument(a, place) for a in arguments]
        costs = [(self._cost(f, types), f) for f in taking]
        possible = [(c, f) for c, f in costs if c is not None]
        if not possible:
            return self._without_overridden(taking)
        best = min(c.phase for c, _ in possible)
        least = [(c, f) for c, f in possible if c.phase == best]
        undominated = [f for c, f in least if not any(other.beats(c) for other, _ in least)]
        return self._without_overridden(undominated)

    def takes(self, function: SymbolId, count: int) -> bool:
        parameters = self._names.symbol(function).parameters
        if parameters and parameters[-1].endswith(VARIADIC):
            return count >= len(parameters) - 1
        return count == len(parameters)

    def _cost(self, function: SymbolId, arguments: list["Type | Expression"]) -> Cost | None:
        parameters = self._names.typing.calls.parameter_types(function, None)
        declared = self._names.symbol(function).parameters
        variadic = bool(declared) and declared[-1].endswith(VARIADIC)
        if not variadic:
            return self._conversions.total(parameters, arguments, phase=0)
        *fixed, last = parameters or [Variable(function)]
        element = last.element if isinstance(last, ListType) else last
        if len(arguments) == len(fixed) + 1:
            as_array = self._conversions.total([*fixed, ListType(element)], arguments, phase=0)
            if as_array is not None and self._conversions.is_array(arguments[-1]):
                return as_array
        spread = [*fixed, *[element] * (len(arguments) - len(fixed))]
        return self._conversions.total(spread, arguments, phase=2)

    def _without_overridden(self, functions: list[SymbolId]) -> list[SymbolId]:
        kept: list[SymbolId] = []
        for function in functions:
            if not any(self.same_shape(function, k) and self._container(function) != self._container(k) for k in kept):
                kept.append(function)
        return kept

    def _container(self, id_: SymbolId) -> tuple[int, int]:
        return id_.document, self._names.symbol(id_).container

    def overrides(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether a member of a subtype overrides that of a supertype."""
        hides = "static" in self._names.symbol(one).modifiers or "private" in self._names.symbol(other).modifiers
        is_java = self._names.view(one.document).family == "java"
        return not (hides and is_java) and self.same_shape(one, other)

    def same_shape(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether a method has the erased parameter types of another, as an override must (Java)."""
        mine, theirs = self._names.symbol(one), self._names.symbol(other)
        if self._names.view(one.document).family != "java":
            return True
        if (mine.kind in CALLABLE_KINDS) != (theirs.kind in CALLABLE_KINDS):
            return False
        if len(mine.parameters) != len(theirs.parameters) or mine.kind is SymbolKind.CONSTRUCTOR:
            return False
        mine_types = self._names.typing.calls.parameters(one)
        their_types = self._names.typing.calls.parameters(other)
        return all(self._same_type(a, b) for a, b in zip(mine_types, their_types, strict=False))

    def _same_type(self, one: SymbolId, other: SymbolId) -> bool:
        types = [self._names.typing.of_symbol(p) for p in (one, other)]
        if any(isinstance(t, External) and t.name in PRIMITIVES for t in types):
            return types[0] == types[1]
        bounds = [self._names.typing.bound(v) for t in types if isinstance(v := _innermost(t), Variable)]
        if bounds:
            return all(isinstance(b, External) and b.name == "Object" for b in bounds) or len(bounds) == 2
        return _erased(self._names.symbol(one).type) == _erased(self._names.symbol(other).type)


def _innermost(type_: Type) -> Type:
    while isinstance(type_, ListType):
        type_ = type_.element
    return type_


def _erased(text: str) -> str:
    tree = parse_type(text, "java")
    depth = 0
    while isinstance(tree, ListOf):
        tree, depth = tree.element, depth + 1
    name = tree.name.rpartition(".")[2] if isinstance(tree, Named) else text
    return name + "[]" * depth
