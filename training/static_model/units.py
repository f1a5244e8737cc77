"""Cuts source files into definitions with documentation, comments and messages apart: the raw material of pairs."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

MAX_FILE_BYTES = 400_000
MAX_BODY = 4_000


class Unit(msgspec.Struct, array_like=True):
    """One definition. `body` is its code without documentation and comments; lines are 1-based and inclusive."""

    language: str
    path: str
    scopes: tuple[str, ...]  # own name last
    doc: tuple[str, ...]  # sentences of its documentation
    body: str
    comments: tuple[str, ...]
    messages: tuple[str, ...]  # string literals that are sentences: errors, log lines
    start: int
    end: int
    text: str = ""  # the slice of the file as it is


class _Syntax(NamedTuple):
    language: Language
    functions: str  # a query whose @unit are definitions with a body
    scopes: frozenset[str]  # node types that enclose and name


_JS_FUNCTIONS = """
[(function_declaration) (generator_function_declaration) (method_definition)] @unit
(variable_declarator value: [(arrow_function) (function_expression)]) @unit
(assignment_expression right: [(arrow_function) (function_expression)]) @unit
(pair value: [(arrow_function) (function_expression)]) @unit
"""
_JS_SCOPES = frozenset(
    {"class_declaration", "abstract_class_declaration", "interface_declaration", "internal_module", "class"}
)
SYNTAX = {
    "python": _Syntax(
        Language(tree_sitter_python.language()), "(function_definition) @unit", frozenset({"class_definition"})
    ),
    "java": _Syntax(
        Language(tree_sitter_java.language()),
        "[(method_declaration) (constructor_declaration)] @unit",
        frozenset({"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}),
    ),
    "go": _Syntax(
        Language(tree_sitter_go.language()), "[(function_declaration) (method_declaration)] @unit", frozenset()
    ),
    "rust": _Syntax(
        Language(tree_sitter_rust.language()),
        "(function_item) @unit",
        frozenset({"impl_item", "trait_item", "mod_item"}),
    ),
    "javascript": _Syntax(Language(tree_sitter_javascript.language()), _JS_FUNCTIONS, _JS_SCOPES),
    "typescript": _Syntax(Language(tree_sitter_typescript.language_typescript()), _JS_FUNCTIONS, _JS_SCOPES),
    "tsx": _Syntax(Language(tree_sitter_typescript.language_tsx()), _JS_FUNCTIONS, _JS_SCOPES),
}
LANGUAGE_OF = {
    ".py": "python",
    ".java": "java",
    ".go": "go",
    ".rs": "rust",
    ".js": "javascript",
    ".mjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".tsx": "tsx",
}
_PARSERS = {name: Parser(syntax.language) for name, syntax in SYNTAX.items()}
_QUERIES = {name: Query(syntax.language, syntax.functions) for name, syntax in SYNTAX.items()}
_WRAPPERS = frozenset({"export_statement", "decorated_definition", "lexical_declaration", "variable_declaration"})
_ATTRIBUTES = frozenset({"attribute_item", "decorator", "marker_annotation", "annotation"})
_STRINGS = frozenset(
    {"string", "string_literal", "interpreted_string_literal", "template_string", "raw_string_literal"}
)


def cut_units(language: str, path: str, source: bytes) -> Iterator[Unit]:
    """Every function and method of a file, nested ones included, in no order."""
    root = _PARSERS[language].parse(source).root_node
    for nodes in QueryCursor(_QUERIES[language]).captures(root).values():
        for node in nodes:
            unit = _unit(language, path, node, source)
            if unit is not None:
                yield unit


def _unit(language: str, path: str, node: Node, source: bytes) -> Unit | None:
    name = _name(node)
    if not name:
        return None
    outer = _outermost(node)
    above = list(_comments_above(outer))
    doc_node = _docstring(node) if language == "python" else None
    doc = _text(doc_node) if doc_node else "\n".join(_text(comment) for comment in reversed(above))
    inner, strings = _inner(node)
    hidden = [*inner, doc_node] if doc_node else inner
    first = above[-1] if above and language != "python" else outer
    return Unit(
        language,
        path,
        (*_scopes(node, SYNTAX[language].scopes), name),
        tuple(sentences(doc)),
        _without(source, outer, hidden)[:MAX_BODY],
        tuple(s for comment in inner for s in sentences(_text(comment))[:2]),
        tuple(s for string in strings for s in sentences(_text(string))[:1]) if strings else (),
        first.start_point[0] + 1,
        outer.end_point[0] + 1,
        source[first.start_byte : outer.end_byte].decode("utf-8", "replace"),
    )


def _name(node: Node) -> str:
    named = node.child_by_field_name("name") or node.child_by_field_name("key") or node.child_by_field_name("left")
    return _text(named).rsplit(".", 1)[-1].strip("'\"") if named else ""


def _scopes(node: Node, kinds: frozenset[str]) -> tuple[str, ...]:
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        return tuple(re.findall(r"\w+", _text(receiver))[-1:])
    out: list[str] = []
    while (node := node.parent) is not None:
        if node.type in kinds:
            named = node.child_by_field_name("name") or node.child_by_field_name("type")
            if named is not None:
                out.append(_text(named)[:60])
    return tuple(reversed(out))


def _outermost(node: Node) -> Node:
    while node.parent is not None and node.parent.type in _WRAPPERS:
        node = node.parent
    if node.parent is not None and node.parent.type == "expression_statement":
        node = node.parent
    return node


def _comments_above(node: Node) -> Iterator[Node]:
    """Comments that end on the line above, nearest first, attributes skipped."""
    line, before = node.start_point[0], node.prev_sibling
    while before is not None and (before.type in _ATTRIBUTES or "comment" in before.type):
        end = before.end_point[0] - (1 if before.end_point[1] == 0 else 0)
        if line - end > 1:
            return
        if "comment" in before.type:
            yield before
        line, before = before.start_point[0], before.prev_sibling


def _docstring(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    first = body.named_child(0) if body is not None and body.named_child_count else None
    if first is not None and first.type == "expression_statement" and first.named_child_count:
        first = first.named_child(0)
    return first if first is not None and first.type == "string" else None


def _inner(node: Node) -> tuple[list[Node], list[Node]]:
    """Comments and string literals inside a definition."""
    comments: list[Node] = []
    strings: list[Node] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if "comment" in current.type:
            comments.append(current)
        elif current.type in _STRINGS:
            if current.end_byte - current.start_byte > 24:
                strings.append(current)
        else:
            stack.extend(current.children)
    return comments, strings


def _without(source: bytes, node: Node, hidden: list[Node]) -> str:
    parts, at = [], node.start_byte
    for gone in sorted(hidden, key=lambda gone: gone.start_byte):
        if gone.start_byte >= at:
            parts.append(source[at : gone.start_byte])
            at = gone.end_byte
    parts.append(source[at : node.end_byte])
    return b" ".join(parts).decode("utf-8", "replace")


def _text(node: Node) -> str:
    return node.text.decode("utf-8", "replace") if node.text else ""


_MARKS = re.compile(
    r"^[ \t]*(?:///?!?|/\*+!?|\*+/|\*+|#+!?)[ \t]?|\*+/[ \t]*$"
    r"|^[rRuUbBfF]{0,2}(?:\"\"\"|'''|[\"'`])|(?:\"\"\"|'''|[\"'`])\s*$",
    re.M,
)
_INLINE = re.compile(r"\{@\w+\s+([^}]*)\}|<[^>]{1,60}>|:\w+:`~?([^`]*)`|`+|\*\*")
_TAG = re.compile(
    r"^\s*(?:[@:]\w+|#\s|-{3,}|={3,}|>>>|Args?:|Parameters|Returns?:|Raises:|Examples?|Notes?$|```)", re.M
)
_END = re.compile(r"(?<=[a-z0-9)\]\"'])[.!?:;](?=\s|$)|\n\s*\n")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_BOILERPLATE = re.compile(
    r"copyright|licen[sc]e|noqa|eslint|prettier|pragma|todo|fixme|nolint|@override|inheritdoc|istanbul", re.I
)


def sentences(raw: str) -> list[str]:
    """The prose sentences of a comment, docstring or literal, markers and tagged parts left out; at least 3 words."""
    text = _MARKS.sub("", raw)
    tag = _TAG.search(text)
    prose = _INLINE.sub(lambda m: m.group(1) or m.group(2) or "", text[: tag.start()] if tag else text)
    out = (" ".join(part.split()) for part in _END.split(prose) if part)
    return [s[:300] for s in out if len(_LETTERS.findall(s)) >= 3 and not _BOILERPLATE.search(s)][:8]
