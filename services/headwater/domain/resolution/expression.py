"""Expressions as small trees: what the receiver, argument and initializer texts of the facts are made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """`kind` is string, number, float, char, boolean, null, list, dict, set, tuple, template."""

    kind: str


@dataclass(frozen=True, slots=True)
class Member:
    object: "Expression"
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    callee: "Expression"
    arguments: tuple["Expression", ...]
    type_arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Construct:
    """`new T(…)`, a Go composite literal `T{…}`, an array creation `new T[…]`."""

    type: str
    arguments: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class Index:
    object: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a sequence: same type as the whole."""

    object: "Expression"


@dataclass(frozen=True, slots=True)
class Cast:
    """A cast, conversion or type assertion: the type as written."""

    type: str
    value: "Expression"


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    value: "Expression"


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Choice:
    """Either of two values: conditional expressions, `or`, `||`, `??`."""

    first: "Expression"
    second: "Expression"


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list or tuple display with its elements."""

    kind: str
    elements: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """An anonymous function; `parameters` is their number, -1 where it isn't evident."""

    parameters: int = -1


@dataclass(frozen=True, slots=True)
class Opaque:
    """What the parser doesn't understand: its type is unknown."""


Expression = (
    Name
    | Literal
    | Member
    | Call
    | Construct
    | Index
    | Slice
    | Cast
    | Unary
    | Binary
    | Choice
    | Sequence
    | Lambda
    | Opaque
)
OPAQUE = Opaque()
