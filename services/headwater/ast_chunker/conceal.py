"""A file's bytes with comments, texts and figures blanked out at their place, so that what is read of it holds names.

Lengths and lines stay, and quotes do, so that whatever is read at a syntax node says the same of the code's shape:
`connect("db.internal", 5432)` becomes `connect("           ", 0000)`.
"""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

_LITERAL = re.compile(
    r"comment|string|heredoc|herestring|regex|rune|escape|str_(?:text|part)|jsx_text|html_character|preproc_arg"
    r"|^(?:text|word|literal|character|number|integer|float)$|(?:char|character|number|integer|int|float|real|imaginary"
    r"|hex|bin|oct|floating_point|user_defined)_literal"
)
_CODE = frozenset(
    {"comment_statement", "concatenated_string", "chained_string", "string_array", "string_interpolation",
     "escape_interpolation", "key_path_string_expression"}
)  # fmt: skip
_PARTS = frozenset({"heredoc_end", "heredoc_start", "heredoc_beginning", "interpolation_quote", "dollar_quote"})
_FIGURE = re.compile(r"number|integer|^int_|float|floating|real_|imaginary|hex_|bin_|oct_")
_SQL_TYPES = frozenset({"float", "character"})
_NAMED_BY_WORDS = frozenset({"command_name", "function_definition"})
_LOADERS = frozenset({b"require", b"require_relative", b"import", b"load", b"autoload", b"include"})
_PLACE = re.compile(rb"[\"'`<]?[\w./@:+~-]+[\"'`>]?")
_TYPE_NAME = re.compile(rb"[\"'][A-Za-z_][\w.]*[\"']")
_QUOTED = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_BLANKED = bytes.maketrans(bytes(range(256)), bytes(c if c in b"\"'`\n\r" else 32 for c in range(256)))
_ZEROED = bytes.maketrans(b"123456789abcdefABCDEF", b"0" * 21)


def concealed(source: bytes, root: Node, hidden: Sequence[tuple[int, int]]) -> bytes:
    """`source` without its comments, texts and figures; `hidden` are ranges that the tree knows nothing of."""
    shown = bytearray(source)
    for start, end, figure in _literals(source, root):
        shown[start:end] = source[start:end].translate(_ZEROED if figure else _BLANKED)
    for start, end in hidden:
        shown[start:end] = _unquoted(source[start:end])
    return bytes(shown)


def _literals(source: bytes, root: Node) -> Iterator[tuple[int, int, bool]]:
    """(start, end, whether it is a figure) of everything to blank; code within texts is left as it is."""
    pending = [root]
    while pending:
        node = pending.pop()
        if not _is_literal(node) or _is_name(source, node):
            pending.extend(node.children)
            continue
        at = node.start_byte
        for code in _code_within(node):
            yield at, code.start_byte, False
            pending.append(code)
            at = code.end_byte
        yield at, node.end_byte, _FIGURE.search(node.type) is not None


def _is_literal(node: Node) -> bool:
    kind = node.type
    if not node.is_named or kind in _CODE or kind.startswith("keyword_") or _LITERAL.search(kind) is None:
        return False
    return not (kind in _SQL_TYPES and node.child_count > 0 and node.children[0].type.startswith("keyword_"))


def _code_within(node: Node) -> list[Node]:
    """The outermost parts of a text that are no text, in order: interpolations and the like."""
    found: list[Node] = []
    pending = list(reversed(node.named_children))
    while pending:
        child = pending.pop()
        if _is_literal(child):
            pending.extend(reversed(child.named_children))
        elif child.end_byte > child.start_byte and "comment" not in node.type and child.type not in _PARTS:
            found.append(child)
    return found


def _is_name(source: bytes, node: Node) -> bool:
    """Whether a text names code: a module that is imported, a type, a command."""
    parent = node.parent
    if parent is None:
        return False
    if node.type == "word":
        return parent.type in _NAMED_BY_WORDS or _first(source, parent) in (b"source", b".")
    text = source[node.start_byte : node.end_byte]
    if "string" not in node.type or len(text) > 300:
        return False
    if parent.type == "type":
        return _TYPE_NAME.fullmatch(text) is not None
    return _PLACE.fullmatch(text) is not None and (_is_source(node, parent) or _is_loaded(source, parent))


def _is_source(node: Node, parent: Node) -> bool:
    named = any(parent.child_by_field_name(field) == node for field in ("source", "path"))
    return named or any(word in parent.type for word in ("import", "require", "include"))


def _is_loaded(source: bytes, arguments: Node) -> bool:
    """Whether these are the arguments of a call that loads a module."""
    return arguments.parent is not None and _first(source, arguments.parent) in _LOADERS


def _first(source: bytes, node: Node) -> bytes:
    return source[node.children[0].start_byte : node.children[0].end_byte] if node.children else b""


def _unquoted(raw: bytes) -> bytes:
    return _QUOTED.sub(lambda match: match[0].translate(_BLANKED), raw)
