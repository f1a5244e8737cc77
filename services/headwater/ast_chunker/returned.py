"""Results and literals that only the tree tells: what a function returns, whose key a Go literal's key is."""

import re

from tree_sitter import Node

_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "function_expression", "generator_function_declaration",
     "arrow_function", "method_definition", "lambda"}
)  # fmt: skip
_NOTHING = frozenset({"none", "null", "undefined", "true", "false", "statement_block"})
_SLASHES = frozenset(
    {"c", "cpp", "csharp", "go", "java", "javascript", "jsx", "kotlin", "rust", "scala", "swift", "tsx", "typescript"}
)
_LINE_COMMENT = re.compile(r"(?:(?<=\s)|^)//[^\n]*", re.MULTILINE)
_STRUCT = re.compile(r"\bstruct\s*\{[^{}]*\}")


def returning_body(node: Node) -> int | None:
    """Where the body of the function starts whose result this expression is; None for results that say nothing."""
    if node.type in _NOTHING:
        return None
    child, function = node, node.parent
    while function is not None and function.type not in _FUNCTIONS:
        child, function = function, function.parent
    if function is None:
        return None
    body = function.child_by_field_name("body")
    return None if body is None or body != child else body.start_byte


def literal_owner(key: Node) -> tuple[Node, int] | None:
    """The written type around a Go literal's key, and how many literals without one lie between (that one included)."""
    depth, node = 0, key.parent
    while node is not None and node.type != "composite_literal":
        depth += node.type == "literal_value"
        node = node.parent
    written = node.child_by_field_name("type") if node is not None else None
    return (written, depth) if written is not None else None


def without_line_comments(text: str, language: str) -> str:
    """A text of several lines without `//` comments, which would swallow the rest once it is one line."""
    return _LINE_COMMENT.sub("", text) if language in _SLASHES else text


def without_struct_bodies(text: str) -> str:
    """Anonymous Go structs in a type, folded to `struct{}`, inner ones first."""
    if "struct" not in text:
        return text
    while (shorter := _STRUCT.sub("struct\0", text)) != text:
        text = shorter
    return text.replace("struct\0", "struct{}")
