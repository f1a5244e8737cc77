"""Types as written, as small trees."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A name with type arguments; dots as written."""

    name: str
    arguments: tuple["TypeSyntax", ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    element: "TypeSyntax"


@dataclass(frozen=True, slots=True)
class MapOf:
    key: "TypeSyntax"
    value: "TypeSyntax"


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple["TypeSyntax", ...]


@dataclass(frozen=True, slots=True)
class Function:
    parameters: tuple["TypeSyntax", ...]
    result: "TypeSyntax"


@dataclass(frozen=True, slots=True)
class Tuple:
    items: tuple["TypeSyntax", ...]


@dataclass(frozen=True, slots=True)
class Other:
    """A type that names nothing by itself: literals, conditional and mapped types, what isn't understood."""

    text: str = ""


TypeSyntax = Named | ListOf | MapOf | Either | Function | Tuple | Other
OTHER = Other()
