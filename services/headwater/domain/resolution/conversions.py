"""Java's method invocation conversions: what an argument of one type costs where another is declared."""

from typing import TYPE_CHECKING, NamedTuple

from headwater.domain.document import SymbolKind
from headwater.domain.resolution.expression import Expression, Lambda, Literal, Member
from headwater.domain.resolution.types import (
    ClassOf,
    External,
    Functions,
    Instance,
    ListType,
    Type,
    UnionType,
    Unknown,
    Variable,
)
from headwater.domain.resolution.typing import Place

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_WIDENING = ("byte", "short", "int", "long", "float", "double")
PRIMITIVES = frozenset({*_WIDENING, "char", "boolean"})
_BOXES = {
    "byte": "Byte", "short": "Short", "int": "Integer", "long": "Long", "float": "Float", "double": "Double",
    "char": "Character", "boolean": "Boolean",
}  # fmt: skip
_UNBOXED = {box: primitive for primitive, box in _BOXES.items()}
_SUPERTYPES = {
    "String": ("CharSequence", "Comparable", "Serializable"),
    "StringBuilder": ("CharSequence", "Appendable", "Comparable", "Serializable"),
    "StringBuffer": ("CharSequence", "Appendable", "Comparable", "Serializable"),
    "CharBuffer": ("CharSequence", "Appendable", "Readable", "Comparable"),
    "ArrayList": ("List", "Collection", "Iterable"),
    "List": ("Collection", "Iterable"),
    "Set": ("Collection", "Iterable"),
    "Collection": ("Iterable",),
    "HashMap": ("Map",),
    "Class": ("Type", "Serializable", "AnnotatedElement"),
    "GregorianCalendar": ("Calendar",),
    "Integer": ("Number", "Comparable"), "Long": ("Number", "Comparable"), "Short": ("Number", "Comparable"),
    "Byte": ("Number", "Comparable"), "Double": ("Number", "Comparable"), "Float": ("Number", "Comparable"),
    "Character": ("Comparable",), "Boolean": ("Comparable",),
    "BigDecimal": ("Number", "Comparable"), "BigInteger": ("Number", "Comparable"),
}  # fmt: skip
_CLOSED = frozenset({*_BOXES.values(), "String", "StringBuilder", "StringBuffer", "Class"})  # final, supertypes known
_LAMBDA_ARITY = {
    "Supplier": 0, "Callable": 0, "Runnable": 0, "BooleanSupplier": 0, "IntSupplier": 0, "LongSupplier": 0,
    "Function": 1, "Consumer": 1, "Predicate": 1, "UnaryOperator": 1, "IntFunction": 1, "ToIntFunction": 1,
    "BiFunction": 2, "BiConsumer": 2, "BiPredicate": 2, "BinaryOperator": 2, "Comparator": 2, "IntBinaryOperator": 2,
}  # fmt: skip
_OBJECT, _SAME, _NEAR, _FAR = 5.0, 0.0, 1.0, 3.0


class Cost(NamedTuple):
    """`phase` is 0 without boxing, 1 with, 2 for variable arity; `each` the distance per argument."""

    phase: int
    each: tuple[float, ...]

    def beats(self, other: "Cost") -> bool:
        """Nearer in some argument and farther in none."""
        pairs = list(zip(self.each, other.each, strict=False))
        return any(a < b for a, b in pairs) and all(a <= b for a, b in pairs)


class Conversions:
    def __init__(self, names: "Names") -> None:
        self._names = names

    def argument(self, tree: Expression, place: Place) -> "Type | Expression":
        """The argument's type; lambdas, null and method references stay as they are."""
        if isinstance(tree, Lambda) or (isinstance(tree, Literal) and tree.kind == "null"):
            return tree
        type_ = self._names.typing.of_expression(tree, place)
        if isinstance(type_, Functions | ClassOf) and isinstance(tree, Member):
            return Lambda()
        return type_

    def is_array(self, argument: "Type | Expression") -> bool:
        return isinstance(argument, ListType | Literal)

    def total(self, parameters: list[Type], arguments: "list[Type | Expression]", phase: int) -> Cost | None:
        """None where some argument can't be passed at all."""
        each: list[float] = []
        for parameter, argument in zip(parameters, arguments, strict=False):
            one = self._one(parameter, argument)
            if one is None:
                return None
            phase = max(phase, one[0])
            each.append(one[1])
        return Cost(phase, tuple(each))

    def _one(self, parameter: Type, argument: "Type | Expression") -> tuple[int, float] | None:
        if isinstance(parameter, Variable):
            parameter = self._names.typing.bound(parameter)
        if isinstance(argument, Lambda):
            return self._lambda(parameter, argument)
        if isinstance(argument, Literal):
            return None if _primitive(parameter) else (0, _OBJECT if _is_object(parameter) else _SAME)
        return self._typed(parameter, argument)  # type: ignore[arg-type]

    def _lambda(self, parameter: Type, argument: Lambda) -> tuple[int, float] | None:
        if isinstance(parameter, ListType) or _primitive(parameter):
            return None
        if isinstance(parameter, External):
            if parameter.name in _CLOSED or _is_object(parameter):
                return None
            wanted = _LAMBDA_ARITY.get(parameter.name, argument.parameters)
            return (0, _SAME) if argument.parameters in (-1, wanted) else None
        if isinstance(parameter, Instance):
            symbol = self._names.symbol(parameter.symbol)
            return (0, _SAME) if symbol.kind is SymbolKind.INTERFACE and self._fits(parameter, argument) else None
        return (0, _SAME)

    def _fits(self, interface: Instance, argument: Lambda) -> bool:
        """Whether the interface's one abstract method takes so many parameters."""
        method = self._names.typing.calls.only_method(interface)
        if method is None or argument.parameters < 0:
            return True
        return len(self._names.symbol(method).parameters) == argument.parameters

    def _typed(self, parameter: Type, argument: Type) -> tuple[int, float] | None:
        if isinstance(argument, Variable):
            argument = self._names.typing.bound(argument)
        if isinstance(argument, UnionType):
            argument = argument.parts[0]
        match argument:
            case External(name) if name in PRIMITIVES:
                return _from_primitive(name, parameter)
            case External(name) if name == "null":
                return None if _primitive(parameter) else (0, _SAME)
            case External(name) if name:
                return self._from_external(name, parameter)
            case Instance():
                return self._from_instance(argument, parameter)
            case ListType(element):
                return self._from_array(element, parameter)
            case _:
                return (0, _SAME)

    def _from_external(self, name: str, parameter: Type) -> tuple[int, float] | None:
        if _is_object(parameter):
            return (0, _OBJECT if name != "Object" else _SAME)
        if isinstance(parameter, External):
            return _between_externals(name, parameter.name)
        if isinstance(parameter, ListType):
            return None
        if isinstance(parameter, Instance):
            return None if name in _CLOSED or name == "Object" else (0, _FAR)
        return (0, _FAR)

    def _from_instance(self, argument: Instance, parameter: Type) -> tuple[int, float] | None:
        if _is_object(parameter):
            return (0, _OBJECT)
        if isinstance(parameter, Instance) and parameter.symbol == argument.symbol:
            return (0, _SAME)
        levels = self._names.members.hierarchy(argument.symbol)
        if isinstance(parameter, Instance):
            distance = next(
                (i for i, t in enumerate(levels) if isinstance(t, Instance) and t.symbol == parameter.symbol), 0
            )
            if distance:
                return (0, min(_FAR, _NEAR + distance / 100))
            return (0, _FAR) if any(isinstance(t, Unknown) for t in levels) else None
        if isinstance(parameter, External):
            outside = [t.name for t in levels if isinstance(t, External)]
            if parameter.name in outside:
                return (0, _NEAR)
            return None if parameter.name in PRIMITIVES or parameter.name in _CLOSED or not outside else (0, _FAR)
        return None if isinstance(parameter, ListType) else (0, _FAR)

    def _from_array(self, element: Type, parameter: Type) -> tuple[int, float] | None:
        if _is_object(parameter):
            return (0, _OBJECT + 1)
        if isinstance(parameter, ListType):
            inner = parameter.element
            if _primitive(inner) or _primitive(element):
                same = isinstance(inner, External) and isinstance(element, External) and inner.name == element.name
                unknown = isinstance(inner, Unknown) or isinstance(element, Unknown)
                return (0, _SAME) if same or unknown else None
            return self._one(inner, element)
        return None if isinstance(parameter, External | Instance) else (0, _FAR)


def _primitive(type_: Type) -> bool:
    return isinstance(type_, External) and type_.name in PRIMITIVES


def _is_object(type_: Type) -> bool:
    return isinstance(type_, External) and type_.name == "Object"


def _from_primitive(name: str, parameter: Type) -> tuple[int, float] | None:
    if not isinstance(parameter, External):
        return (1, _FAR) if isinstance(parameter, Unknown | Variable) else None
    wanted = parameter.name
    if wanted == name:
        return (0, _SAME)
    if wanted in PRIMITIVES:
        start = "int" if name == "char" else name
        if wanted not in _WIDENING or start not in _WIDENING:
            return None
        steps = _WIDENING.index(wanted) - _WIDENING.index(start) + (name == "char")
        return (
            (0, _NEAR + steps / 10) if steps >= 0 and wanted not in ("byte", "short")[: 2 * (name == "char")] else None
        )
    box = _BOXES[name]
    if wanted == box:
        return (1, _SAME)
    if wanted in _SUPERTYPES.get(box, ()) or wanted == "Object":
        return (1, _OBJECT)
    return None if wanted in _CLOSED else (1, _OBJECT)


def _between_externals(name: str, wanted: str) -> tuple[int, float] | None:
    if wanted == name or not wanted:
        return (0, _SAME)
    if wanted in PRIMITIVES:
        unboxed = _UNBOXED.get(name)
        if unboxed is None:
            return None
        inner = _from_primitive(unboxed, External(wanted))
        return None if inner is None else (1, inner[1])
    known = _SUPERTYPES.get(name)
    if known is not None:
        if wanted in known:
            return (0, _NEAR + known.index(wanted) / 10)
        return None if name in _CLOSED or wanted in _CLOSED else (0, _FAR)
    return None if wanted in _CLOSED or name == "Object" else (0, _FAR)
