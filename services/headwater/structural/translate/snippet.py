"""Reads a piece of code in a question as what it asks for: `x.foo("a")` is a call of foo on x with an argument."""

import re

import numpy as np

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.graph import CONSTRUCTS, Graph, Role
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.generate.properties import exact
from headwater.structural.query import Condition, Construct, Count, Name, Node, Related, Relation

_PLACEHOLDER = re.compile(r"[a-z]|_+|\.\.\.|something|anything|whatever|foo|bar|arg\d*|args")
_BARE_NEW = re.compile(r"(new\s+[\w.]+)$")
_ROLES = {
    Role.ARGUMENT: Relation.ARGUMENT,
    Role.RECEIVER: Relation.RECEIVER,
    Role.VALUE: Relation.VALUE,
    Role.CONDITION: Relation.CONDITION,
}
_FRAMES = ("{};", "{} {{ }}", "if ({}) {{ }}", "{}")
_LONGEST, _DEEPEST = 400, 40
_WRAPPERS = (Construct.CLASS, Construct.METHOD, Construct.DECLARATION)


def read_snippet(code: str) -> Node | None:
    """The node that the code stands for, None when it can't be read or is no snippet for its length or depth."""
    if len(code) > _LONGEST:
        return None
    tidy = _BARE_NEW.sub(r"\1(__any__)", code).replace("(...)", "(__any__)").replace("...", "__any__")
    for frame in _FRAMES:
        text = f"class X {{ X() {{ {frame.format(tidy)} }} }}"
        if not _is_readable(text):
            continue
        graph = build(BY_NAME["java"], text.encode("utf-8", "replace"))
        roots = [i for i in range(len(graph)) if CONSTRUCTS[graph.kind[i]] not in _WRAPPERS]
        if roots:
            root = roots[0]
            if frame.startswith("if") and CONSTRUCTS[graph.kind[root]] is Construct.IF:
                root = next((i for i in roots[1:]), root)
            return _node(graph, root)
    return None


def _is_readable(text: str) -> bool:
    """Whether it is Java without an error that nests no deeper than a snippet does."""
    import tree_sitter as ts

    root = ts.Parser(BY_NAME["java"].grammar()).parse(text.encode("utf-8", "replace")).root_node
    level = [root]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in node.children]
    return not root.has_error and not level


def _node(graph: Graph, index: int) -> Node:
    construct = CONSTRUCTS[graph.kind[index]]
    conditions: list[Condition] = [c for c in exact(graph, index) if not _says_nothing(c)]
    qualified = graph.strings[graph.qualified[index]]
    if construct is Construct.CALL and qualified and not qualified.startswith("X."):
        conditions = [Name(qualified), *(c for c in conditions if not isinstance(c, Name))]
    conditions += _parts(graph, index, construct)
    open_ended = any(isinstance(c, Name) and c.pattern == "__any__" for c in _argument_conditions(graph, index))
    if open_ended or (construct is Construct.CALL and not graph.arity[index]):
        conditions = [c for c in conditions if not isinstance(c, Count)]
    return Node(construct, tuple(conditions))


def _argument_conditions(graph: Graph, index: int) -> list[Condition]:
    targets = [int(graph.target[e]) for e in np.flatnonzero(graph.source == index)]
    return [condition for target in targets for condition in exact(graph, target)]


def _parts(graph: Graph, index: int, construct: Construct) -> list[Condition]:
    found: list[Condition] = []
    for edge in np.flatnonzero(graph.source == index):
        relation = _ROLES.get(Role(int(graph.role[edge])))
        target = int(graph.target[edge])
        short = construct in (Construct.CALL, Construct.NEW)
        if relation is None or _is_placeholder(graph, target, short_names=short):
            continue
        numbered = relation is Relation.ARGUMENT and construct in (Construct.CALL, Construct.NEW, Construct.OPERATOR)
        found.append(Related(relation, _node(graph, target), int(graph.index[edge]) if numbered else None))
    return found


def _is_placeholder(graph: Graph, index: int, *, short_names: bool) -> bool:
    """`foo(x)` says that there is an argument; `i++` means i."""
    name = graph.strings[graph.name[index]]
    if CONSTRUCTS[graph.kind[index]] is not Construct.VARIABLE:
        return False
    return name == "__any__" or (short_names and _PLACEHOLDER.fullmatch(name) is not None)


def _says_nothing(condition: Condition) -> bool:
    return isinstance(condition, Name) and condition.pattern == "__any__"
