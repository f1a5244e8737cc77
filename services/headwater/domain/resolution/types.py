"""What a name denotes and what type a value has, as far as the corpus itself can tell."""

from collections.abc import Iterable
from dataclasses import dataclass

from headwater.domain.resolution.source import SymbolId


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not to be told: whatever depends on it stays by name."""


@dataclass(frozen=True, slots=True)
class External:
    """Certainly outside the corpus: a library, a built-in. `name` is its type's simple name, "" when not evident."""

    name: str = ""
    arguments: tuple["Type", ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """A module, package or namespace object; the language's own rules say what `key` means."""

    key: str
    document: int = -1


@dataclass(frozen=True, slots=True)
class Instance:
    """A value of a class, struct, interface, enum or named type of the corpus."""

    symbol: SymbolId
    arguments: tuple["Type", ...] = ()


@dataclass(frozen=True, slots=True)
class ClassOf:
    """The class itself as a value: static members, constructor calls."""

    symbol: SymbolId


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of the corpus as a value; `owner` is the type whose member they are."""

    symbols: tuple[SymbolId, ...]
    owner: "Type | None" = None


@dataclass(frozen=True, slots=True)
class FunctionType:
    parameters: tuple["Type", ...]
    result: "Type"


@dataclass(frozen=True, slots=True)
class ListType:
    element: "Type"


@dataclass(frozen=True, slots=True)
class MapType:
    key: "Type"
    value: "Type"


@dataclass(frozen=True, slots=True)
class TupleType:
    items: tuple["Type", ...]


@dataclass(frozen=True, slots=True)
class UnionType:
    parts: tuple["Type", ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A type parameter."""

    symbol: SymbolId


Type = (
    Unknown
    | External
    | Module
    | Instance
    | ClassOf
    | Functions
    | FunctionType
    | ListType
    | MapType
    | TupleType
    | UnionType
    | Variable
)


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions of the corpus; `owner` is the type (with arguments) in which a member was found."""

    symbols: tuple[SymbolId, ...]
    owner: Type | None = None


Denotation = Definitions | Module | External | Unknown
Substitution = dict[SymbolId, Type]

UNKNOWN = Unknown()
EXTERNAL = External()


def union(parts: Iterable[Type]) -> Type:
    """One type for several possible ones; null is no possibility."""
    flat: dict[Type, None] = {}
    for part in parts:
        for one in part.parts if isinstance(part, UnionType) else (part,):
            if not (isinstance(one, External) and one.name in ("null", "None", "undefined", "void")):
                flat[one] = None
    if not flat:
        return External("null")
    return next(iter(flat)) if len(flat) == 1 else UnionType(tuple(flat))


def substitute(type_: Type, bindings: Substitution) -> Type:
    """Type parameters replaced by what they are bound to; unbound ones stay."""
    if not bindings:
        return type_
    match type_:
        case Variable(symbol):
            return bindings.get(symbol, type_)
        case Instance(symbol, arguments) if arguments:
            return Instance(symbol, tuple(substitute(a, bindings) for a in arguments))
        case External(name, arguments) if arguments:
            return External(name, tuple(substitute(a, bindings) for a in arguments))
        case ListType(element):
            return ListType(substitute(element, bindings))
        case MapType(key, value):
            return MapType(substitute(key, bindings), substitute(value, bindings))
        case TupleType(items):
            return TupleType(tuple(substitute(i, bindings) for i in items))
        case UnionType(parts):
            return union(substitute(p, bindings) for p in parts)
        case FunctionType(parameters, result):
            return FunctionType(tuple(substitute(p, bindings) for p in parameters), substitute(result, bindings))
        case _:
            return type_


def close(type_: Type, free: frozenset[SymbolId]) -> Type:
    """Type parameters of a function that a call leaves undecided are unknown outside of it."""
    return substitute(type_, dict.fromkeys(free, UNKNOWN)) if free else type_
