"""Parsing Rust types: references, pointers and smart pointers stand for what they point to."""

import re

from headwater.domain.resolution.type_tree import OTHER, Function, ListOf, MapOf, Named, Tuple, TypeSyntax

_TOKEN = re.compile(r"\s*(->|::|[\w#]+|.)", re.DOTALL)
_LIFETIME = re.compile(r"'\w+\s*,?\s*")
_WORDS = frozenset({"mut", "const", "dyn", "impl", "ref"})
_POINTERS = frozenset(
    {"Box", "Arc", "Rc", "Option", "Result", "Cow", "RefCell", "Cell", "Mutex", "RwLock", "Ref", "RefMut", "MutexGuard",
     "Pin", "Weak"}
)  # fmt: skip
_LISTS = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet", "Iter", "IntoIter"})
_MAPS = frozenset({"HashMap", "BTreeMap"})

_MAX_DEPTH = 40


class RustTypeError(Exception):
    """The text is none of the types that the parser knows."""


def parse_rust_type(text: str) -> TypeSyntax:
    """OTHER for what isn't understood; `Option<T>` and the like give T, as their methods hand it on."""
    tokens = _TOKEN.findall(_LIFETIME.sub("", text.strip()))
    if _nesting(tokens) > _MAX_DEPTH:
        return OTHER
    try:
        tree, rest = _type(tokens, 0)
    except (RustTypeError, IndexError):
        return OTHER
    return tree if rest == len(tokens) or tokens[rest] == "+" else OTHER


def _nesting(tokens: list[str]) -> int:
    """No fewer levels than `_type` recurses: every bracket that opens, and every arrow."""
    return sum(token in ("(", "[", "<", "->") for token in tokens)


def _type(tokens: list[str], at: int) -> tuple[TypeSyntax, int]:
    while tokens[at] in "&*" or tokens[at] in _WORDS:
        at += 1
    token = tokens[at]
    if token == "(":
        items, at = _list(tokens, at + 1, ")")
        return (items[0] if len(items) == 1 else Tuple(tuple(items))), at
    if token == "[":
        inner, at = _type(tokens, at + 1)
        while tokens[at] != "]":
            at += 1
        return ListOf(inner), at + 1
    if token in ("fn", "Fn", "FnMut", "FnOnce"):
        return _function(tokens, at + 1)
    if not (token[0].isalpha() or token[0] == "_"):
        raise RustTypeError
    return _path(tokens, at)


def _path(tokens: list[str], at: int) -> tuple[TypeSyntax, int]:
    names = [tokens[at]]
    at += 1
    arguments: list[TypeSyntax] = []
    while at < len(tokens) and tokens[at] in ("::", "<"):
        if tokens[at] == "<":
            arguments, at = _list(tokens, at + 1, ">")
        elif tokens[at + 1] == "<":
            at += 1
        else:
            names.append(tokens[at + 1])
            at += 2
    return _special(names, arguments), at


def _special(names: list[str], arguments: list[TypeSyntax]) -> TypeSyntax:
    last = names[-1]
    if last in _POINTERS and arguments:
        return arguments[0]
    if last in _LISTS and arguments:
        return ListOf(arguments[0])
    if last in _MAPS and len(arguments) > 1:
        return MapOf(arguments[0], arguments[1])
    return Named(".".join(names), tuple(arguments))


def _function(tokens: list[str], at: int) -> tuple[TypeSyntax, int]:
    if tokens[at] != "(":
        raise RustTypeError
    parameters, at = _list(tokens, at + 1, ")")
    if at < len(tokens) and tokens[at] == "->":
        result, at = _type(tokens, at + 1)
        return Function(tuple(parameters), result), at
    return Function(tuple(parameters), OTHER), at


def _list(tokens: list[str], at: int, closing: str) -> tuple[list[TypeSyntax], int]:
    items: list[TypeSyntax] = []
    while tokens[at] != closing:
        if at + 1 < len(tokens) and tokens[at + 1] == "=":  # an associated type: Iterator<Item = T>
            at += 2
        item, at = _type(tokens, at)
        items.append(item)
        while tokens[at] == "+":
            _, at = _type(tokens, at + 1)
        at += tokens[at] == ","
    return items, at + 1
