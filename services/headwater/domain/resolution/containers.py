"""Elements, keys, items and operators of values: lists, maps, tuples, named types over them."""

from typing import TYPE_CHECKING

from headwater.domain.document import SymbolKind
from headwater.domain.resolution.expression import Expression, Literal
from headwater.domain.resolution.types import (
    EXTERNAL,
    UNKNOWN,
    Definitions,
    External,
    Functions,
    Instance,
    ListType,
    MapType,
    TupleType,
    Type,
    UnionType,
    Unknown,
    union,
)

if TYPE_CHECKING:
    from headwater.domain.resolution.names import Names

_NUMBERS = ("double", "float", "long", "int")
_STRING = {"python": "str", "java": "String", "go": "string", "typescript": "string"}
_NUMBER = {"python": "int", "java": "int", "go": "int", "typescript": "number"}


def literal(kind: str, family: str) -> Type:
    if kind == "string":
        return External(_STRING.get(family, "string"))
    if kind == "number":
        return External(_NUMBER.get(family, "int"))
    if kind == "dict" and family == "typescript":
        return UNKNOWN  # an object literal: its members are symbols that no expression leads to
    return External(kind)


def underlying(names: "Names", type_: Type) -> Type:
    """What a named type stands for (Go `type T []E`), itself otherwise."""
    if isinstance(type_, Instance):
        symbol = names.symbol(type_.symbol)
        if symbol.kind is SymbolKind.TYPE and symbol.type:
            return names.typing.of_symbol(type_.symbol)
    return type_


def element(names: "Names", type_: Type, family: str) -> Type:
    """What iterating over a value gives."""
    whole = underlying(names, type_)
    match whole:
        case ListType(inner):
            return inner
        case MapType(first, second):
            return second if family == "go" else first if family == "python" else TupleType((first, second))
        case TupleType(items):
            return union(items)
        case UnionType(parts):
            return union(element(names, p, family) for p in parts)
        case External(_, arguments):
            return arguments[0] if len(arguments) == 1 else (UNKNOWN if arguments else EXTERNAL)
        case _:
            return UNKNOWN


def key(type_: Type) -> Type:
    if isinstance(type_, MapType):
        return type_.key
    return External("int") if isinstance(type_, ListType | External) else UNKNOWN


def component(names: "Names", type_: Type, index: int, family: str) -> Type:
    """One value of several: results of a Go call, a Python or TypeScript tuple."""
    whole = underlying(names, type_)
    if isinstance(whole, TupleType):
        return whole.items[index] if index < len(whole.items) else UNKNOWN
    if isinstance(whole, ListType):
        return whole.element
    if isinstance(whole, UnionType):
        return union(component(names, p, index, family) for p in whole.parts)
    if isinstance(whole, External):
        return EXTERNAL if not whole.arguments else UNKNOWN
    if family == "go":  # v, ok := m[k], x.(T), <-ch
        return whole if index == 0 else External("bool")
    return UNKNOWN


def item(names: "Names", type_: Type, index: Expression, family: str) -> Type:
    whole = underlying(names, type_)
    match whole:
        case ListType(inner):
            return inner
        case MapType(_, value):
            return value
        case TupleType(items):
            return union(items) if isinstance(index, Literal) else UNKNOWN
        case UnionType(parts):
            return union(item(names, p, index, family) for p in parts)
        case External(_, arguments):
            return UNKNOWN if arguments else EXTERNAL
        case Functions():
            return whole  # Go: explicit instantiation f[T]
        case Instance() if family == "python":
            found = names.members.find(whole, "__getitem__")
            if isinstance(found, Definitions):
                return names.typing.calls.returned(found.symbols, found.owner)
            return UNKNOWN
        case _:
            return UNKNOWN


def entered(names: "Names", type_: Type) -> Type:
    """What `with value as x` binds."""
    if not isinstance(type_, Instance):
        return type_
    found = names.members.find(type_, "__enter__")
    if isinstance(found, Definitions):
        result = names.typing.calls.returned(found.symbols, found.owner)
        return type_ if isinstance(result, Unknown) else result
    return UNKNOWN


def awaited(type_: Type) -> Type:
    if isinstance(type_, External) and type_.name in ("Promise", "PromiseLike", "Awaitable", "Coroutine"):
        return type_.arguments[-1] if type_.arguments else UNKNOWN
    return type_


def external_member(receiver: Type, name: str) -> Type:
    """A field of something outside: outside as well, unless it hands back what was put in."""
    if isinstance(receiver, External) and receiver.arguments:
        return UNKNOWN
    if isinstance(receiver, External) and receiver.name.startswith("module "):
        return External(f"module {name}")
    if name == "length":
        return External("int")
    return External("")


def arithmetic(operator: str, left: Type, right: Type) -> Type:
    """Strings win over numbers, wide numbers over narrow ones; instances keep their own type (operator methods)."""
    names = [t.name for t in (left, right) if isinstance(t, External)]
    if operator == "+" and any(n in ("String", "str", "string") for n in names):
        return External(next(n for n in names if n in ("String", "str", "string")))
    if operator == "%" and isinstance(left, External) and left.name in ("str", "string", "bytes"):
        return left
    for wide in _NUMBERS:
        if wide in names and len(names) == 2:
            return External(wide)
    if len(names) == 2:
        narrow = ("char", "byte", "short")
        return External("int") if names[0] in narrow and names[1] in narrow else External(names[0] or names[1])
    return UNKNOWN


_SAME = frozenset({"copy", "filter", "slice", "concat", "reverse", "sort", "clone", "toArray", "subList"})
_ELEMENT = frozenset({"pop", "shift", "find", "at", "remove", "popleft", "get", "getFirst", "getLast", "peek", "poll"})
_VALUE = frozenset({"get", "pop", "setdefault", "getOrDefault", "remove", "put", "putIfAbsent", "computeIfAbsent"})


def method_result(receiver: Type, name: str) -> Type | None:
    """What well-known methods of library containers give; None for those that it doesn't know."""
    match receiver:
        case ListType(inner):
            return receiver if name in _SAME else inner if name in _ELEMENT else None
        case MapType(first, second):
            if name in ("items", "entries"):
                return ListType(TupleType((first, second)))
            if name == "values":
                return ListType(second)
            if name == "keys":
                return ListType(first)
            return second if name in _VALUE else receiver if name == "copy" else None
        case _:
            return None
