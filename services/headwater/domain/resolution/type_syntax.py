"""Parsing types as written: declared types, bases, casts and results of every language."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps

from headwater.domain.resolution.type_syntax_rust import parse_rust_type
from headwater.domain.resolution.type_tree import (
    OTHER,
    Either,
    Function,
    ListOf,
    MapOf,
    Named,
    Other,
    Tuple,
    TypeSyntax,
)

_TOKEN = re.compile(r"\s+|(=>|\.\.\.|<-|->|[\w$#]+(?:\s*\.\s*[\w$#]+)*|\"[^\"]*\"|'[^']*'|`[^`]*`|.)", re.DOTALL)
_PYTHON_LISTS = frozenset(
    {"list", "List", "set", "Set", "Sequence", "Iterable", "Iterator", "frozenset", "Collection", "Generator", "deque",
     "MutableSequence", "AsyncIterator", "AsyncIterable"}
)  # fmt: skip
_PYTHON_MAPS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
_MODIFIERS = frozenset({"readonly", "final", "extends", "unique", "infer", "asserts", "abstract"})

_MAX_DEPTH = 40


class _TypeSyntaxError(Exception):
    """The text is none of the types that the parser knows."""


@lru_cache(maxsize=32768)
def parse_type(text: str, language: str) -> TypeSyntax:
    """OTHER for what isn't understood."""
    if language == "rust":
        return parse_rust_type(text)
    tokens = [m for m in _TOKEN.findall(text) if m]
    cursor = _Cursor(tokens)
    try:
        tree = _PARSERS[language](cursor)
    except _TypeSyntaxError:
        return OTHER
    return tree if cursor.peek() == "" else OTHER


class _Cursor:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def next(self) -> str:
        token = self.peek()
        if not token:
            raise _TypeSyntaxError
        self._at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self._at += 1
        return True

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise _TypeSyntaxError

    def skip_balanced(self) -> None:
        """Past the bracket group that opens here."""
        depth = 0
        while True:
            token = self.next()
            depth += (token in "([{<") - (token in ")]}>")
            if depth <= 0:
                return

    def has_arrow_after_parenthesis(self) -> bool:
        depth = 0
        for i, token in enumerate(self._tokens[self._at :]):
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return self.peek(i + 1) == "=>"
        return False


_Parser = Callable[[_Cursor], TypeSyntax]


def _bounded(parse: _Parser) -> _Parser:
    """Checked before each recursion: what nests deeper is no type that the parser knows."""

    @wraps(parse)
    def at_depth(cursor: _Cursor) -> TypeSyntax:
        cursor.depth += 1
        if cursor.depth > _MAX_DEPTH:
            raise _TypeSyntaxError
        tree = parse(cursor)
        cursor.depth -= 1
        return tree

    return at_depth


def _is_name(token: str) -> bool:
    return bool(token) and (token[0].isalpha() or token[0] in "_$#")


def _listed(cursor: _Cursor, closing: str, item: _Parser) -> Iterator[TypeSyntax]:
    while not cursor.accept(closing):
        yield item(cursor)
        if not cursor.accept(","):
            cursor.expect(closing)
            return


@_bounded
def _python(cursor: _Cursor) -> TypeSyntax:
    parts = [_python_one(cursor)]
    while cursor.accept("|"):
        parts.append(_python_one(cursor))
    return parts[0] if len(parts) == 1 else Either(tuple(parts))


def _python_one(cursor: _Cursor) -> TypeSyntax:
    token = cursor.next()
    if token[0] in "\"'":
        return parse_type(token[1:-1], "python")
    if token == "[":
        return Tuple(tuple(_listed(cursor, "]", _python)))
    if not _is_name(token):
        return Other(token)
    arguments = tuple(_listed(cursor, "]", _python)) if cursor.accept("[") else ()
    return _python_special(token.replace(" ", ""), arguments)


def _python_special(name: str, arguments: tuple[TypeSyntax, ...]) -> TypeSyntax:
    last = name.rpartition(".")[2]
    if last in ("Optional", "Union") and arguments:
        return Either(arguments)
    if last in ("Final", "ClassVar", "Annotated", "Awaitable", "Required", "NotRequired") and arguments:
        return arguments[0]
    if last in _PYTHON_LISTS and arguments:
        return ListOf(arguments[0])
    if last in _PYTHON_MAPS and len(arguments) == 2:
        return MapOf(*arguments)
    if last in ("tuple", "Tuple") and arguments:
        return ListOf(arguments[0]) if arguments[-1] == Other(".") else Tuple(arguments)
    if last == "Callable" and len(arguments) == 2:
        parameters = arguments[0].items if isinstance(arguments[0], Tuple) else ()
        return Function(parameters, arguments[1])
    return Named(name, arguments)


@_bounded
def _java(cursor: _Cursor) -> TypeSyntax:
    while cursor.peek() == "@":
        cursor.next()
        cursor.next()
        if cursor.peek() == "(":
            cursor.skip_balanced()
    parts = [_java_one(cursor)]
    while cursor.peek() in ("&", "|"):
        cursor.next()
        parts.append(_java_one(cursor))
    return parts[0] if len(parts) == 1 else Either(tuple(parts))


def _java_one(cursor: _Cursor) -> TypeSyntax:
    token = cursor.next()
    while token in _MODIFIERS:
        token = cursor.next()
    if token == "?":
        if cursor.peek() in ("extends", "super"):
            cursor.next()
            return _java(cursor)
        return Named("Object")
    if not _is_name(token):
        raise _TypeSyntaxError
    name = re.sub(r"\s", "", token)
    arguments: tuple[TypeSyntax, ...] = ()
    while cursor.peek() == "<" or (cursor.peek() == "." and arguments):
        if cursor.accept("<"):
            arguments = tuple(_listed(cursor, ">", _java))
        else:
            cursor.next()
            name += "." + cursor.next()
    tree: TypeSyntax = Named(name, arguments)
    while True:
        if cursor.accept("["):
            cursor.expect("]")
        elif not (cursor.accept("...") or cursor.accept("…")):
            return tree
        tree = ListOf(tree)


@_bounded
def _go(cursor: _Cursor) -> TypeSyntax:
    token = cursor.next()
    if token in ("*", "...", "…", "~"):
        inner = _go(cursor)
        return ListOf(inner) if token in ("...", "…") else inner
    if token in ("[", "map", "<-", "chan"):
        return _go_container(cursor, token)
    if token == "func":
        return _go_function(cursor)
    if token == "(":
        items = tuple(_go_parameters(cursor))
        return items[0] if len(items) == 1 else Tuple(items)
    if token in ("struct", "interface"):
        if cursor.peek() == "{":
            cursor.skip_balanced()
        return Other(token)
    if not _is_name(token):
        raise _TypeSyntaxError
    arguments = tuple(_listed(cursor, "]", _go)) if cursor.accept("[") else ()
    return Named(token, arguments)


def _go_container(cursor: _Cursor, token: str) -> TypeSyntax:
    """Arrays, slices, maps and channels, after their first token."""
    if token == "map":
        cursor.expect("[")
        key = _go(cursor)
        cursor.expect("]")
        return MapOf(key, _go(cursor))
    if token == "[":
        while not cursor.accept("]"):
            cursor.next()
    else:
        cursor.accept("chan") or cursor.accept("<-")
    return ListOf(_go(cursor))


def _go_function(cursor: _Cursor) -> TypeSyntax:
    cursor.expect("(")
    parameters = tuple(_go_parameters(cursor))
    if cursor.peek() in ("", ",", ")", "]", "}"):
        return Function(parameters, OTHER)
    return Function(parameters, _go(cursor))


def _go_parameters(cursor: _Cursor) -> Iterator[TypeSyntax]:
    """Types of a parameter or result list; names before the types are dropped, `a, b T` gives T twice."""
    groups: list[tuple[TypeSyntax, TypeSyntax | None]] = []
    while not cursor.accept(")"):
        first = _go(cursor)
        second = None if cursor.peek() in (",", ")") else _go(cursor)
        groups.append((first, second))
        cursor.accept(",")
    named = any(second is not None for _, second in groups)
    pending: list[TypeSyntax] = []
    for i, (first, second) in enumerate(groups):
        if not named:
            yield first
        else:
            pending.append(second or next((s for _, s in groups[i:] if s is not None), OTHER))
    yield from pending


@_bounded
def _typescript(cursor: _Cursor) -> TypeSyntax:
    cursor.accept("|") or cursor.accept("&")
    parts = [_typescript_postfix(cursor)]
    while cursor.peek() in ("|", "&"):
        cursor.next()
        parts.append(_typescript_postfix(cursor))
    tree = parts[0] if len(parts) == 1 else Either(tuple(parts))
    if cursor.peek() == "extends":  # conditional: either branch
        cursor.next()
        _typescript(cursor)
        cursor.expect("?")
        first = _typescript(cursor)
        cursor.expect(":")
        return Either((first, _typescript(cursor)))
    if cursor.peek() == "is":
        cursor.next()
        _typescript(cursor)
        return Named("boolean")
    return tree


def _typescript_postfix(cursor: _Cursor) -> TypeSyntax:
    tree = _typescript_one(cursor)
    while cursor.peek() == "[":
        cursor.next()
        if cursor.accept("]"):
            tree = ListOf(tree)
        else:
            _typescript(cursor)
            cursor.expect("]")
            tree = OTHER
    return tree


@_bounded
def _typescript_one(cursor: _Cursor) -> TypeSyntax:
    token = cursor.peek()
    if token in _MODIFIERS:
        cursor.next()
        return _typescript_one(cursor)
    if token in ("keyof", "typeof"):
        cursor.next()
        inner = _typescript_postfix(cursor)
        return Other("typeof " + inner.name) if token == "typeof" and isinstance(inner, Named) else OTHER
    if token == "new":
        cursor.next()
        return _typescript_one(cursor)
    if token == "<":
        cursor.skip_balanced()
        return _typescript_one(cursor)
    if token == "(":
        return _typescript_parenthesis(cursor)
    if token in ("[", "{"):
        return _typescript_literal(cursor, token)
    return _typescript_name(cursor, cursor.next())


def _typescript_name(cursor: _Cursor, token: str) -> TypeSyntax:
    if token[0] in "\"'`" or token[0].isdigit() or token == "-":
        if token == "-":
            cursor.next()
        return Named("string") if token[0] in "\"'`" else Named("number")
    if not _is_name(token):
        raise _TypeSyntaxError
    arguments = tuple(_listed(cursor, ">", _typescript)) if cursor.accept("<") else ()
    if token in ("ReturnType", "InstanceType", "Parameters", "ConstructorParameters"):
        return OTHER
    return _typescript_special(re.sub(r"\s", "", token), arguments)


def _typescript_special(name: str, arguments: tuple[TypeSyntax, ...]) -> TypeSyntax:
    if name in ("Array", "ReadonlyArray", "Set", "Iterable", "ArrayLike") and len(arguments) == 1:
        return ListOf(arguments[0])
    if name in ("Map", "Record", "ReadonlyMap", "WeakMap") and len(arguments) == 2:
        return MapOf(*arguments)
    if name in ("Partial", "Readonly", "Required", "NonNullable", "Pick", "Omit", "Exclude", "Extract") and arguments:
        return arguments[0]
    return Named(name, arguments)


def _typescript_literal(cursor: _Cursor, token: str) -> TypeSyntax:
    if token == "{":
        cursor.skip_balanced()
        return Other("{}")
    cursor.next()
    items = []
    while not cursor.accept("]"):
        rest = cursor.accept("...")
        if _is_name(cursor.peek()) and cursor.peek(1) in (":", "?"):
            cursor.next()
            cursor.accept("?")
            cursor.expect(":")
        item = _typescript(cursor)
        cursor.accept("?")
        items.append(item.element if rest and isinstance(item, ListOf) else item)
        cursor.accept(",")
    return Tuple(tuple(items))


def _typescript_parenthesis(cursor: _Cursor) -> TypeSyntax:
    if not cursor.has_arrow_after_parenthesis():
        cursor.next()
        inner = _typescript(cursor)
        cursor.expect(")")
        return inner
    cursor.next()
    parameters: list[TypeSyntax] = []
    while not cursor.accept(")"):
        rest = cursor.accept("...")
        name = cursor.peek()
        if name in ("{", "["):
            cursor.skip_balanced()
        else:
            cursor.next()
        cursor.accept("?")
        kind = _typescript(cursor) if cursor.accept(":") else OTHER
        cursor.accept(",")
        if name != "this":
            parameters.append(kind.element if rest and isinstance(kind, ListOf) else kind)
    cursor.expect("=>")
    return Function(tuple(parameters), _typescript(cursor))


_PARSERS: dict[str, _Parser] = {"python": _python, "java": _java, "go": _go, "typescript": _typescript}
