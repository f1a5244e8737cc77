"""What can be said of one node: the conditions that hold of it."""

import re
from random import Random

from headwater.structural.flowgraph.graph import CONSTRUCTS, Graph
from headwater.structural.query import Condition, Construct, Count, Modifier, Name, Type, Value

_PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN_VALUE = re.compile(r"[\w .:/,=_-]{0,24}")
_TYPE = re.compile(r"[A-Za-z_][\w.]*(\[\])?")
_COUNTED = (Construct.CALL, Construct.NEW, Construct.METHOD)
_UNNAMED = (Construct.CASE, Construct.LAMBDA, Construct.CATCH, Construct.INSTANCEOF, Construct.DECLARATION)
_UNTYPED = (Construct.CALL, Construct.NEW, Construct.ASSIGNMENT, Construct.LITERAL)
_QUALIFIED_SHARE = 0.4
_LITERAL_KINDS = ("string", "number", "boolean", "character")


def candidates(graph: Graph, node: int, random: Random) -> list[Condition]:
    """Conditions of the node's own; each holds of it, most of them alone say little."""
    construct = CONSTRUCTS[graph.kind[node]]
    name, modifiers = graph.strings[graph.name[node]], graph.strings[graph.modifiers[node]]
    if construct is Construct.LITERAL:
        return _of_literal(name, modifiers.strip())
    found: list[Condition] = []
    if construct is Construct.OPERATOR and name:
        found.append(Name(name))
    elif construct is Construct.IMPORT or (_PLAIN_NAME.fullmatch(name) and construct not in _UNNAMED):
        found.append(Name(_qualified(graph, node, name, random)))
    type_name = graph.strings[graph.type[node]]
    if construct not in _UNTYPED and _TYPE.fullmatch(type_name) and type_name != "void":
        found.append(Type(type_name if random.random() < _QUALIFIED_SHARE else type_name.rpartition(".")[2]))
    if construct in _COUNTED:
        found.append(Count(int(graph.arity[node])))
    declared = (Construct.METHOD, Construct.CLASS)
    found += [Modifier(word) for word in modifiers.split()] if construct in declared else []
    return found


def exact(graph: Graph, node: int) -> list[Condition]:
    """All that a concrete pattern would say of the node itself."""
    construct = CONSTRUCTS[graph.kind[node]]
    name, modifiers = graph.strings[graph.name[node]], graph.strings[graph.modifiers[node]]
    if construct is Construct.LITERAL:
        return _of_literal(name, modifiers.strip())[:1]
    found: list[Condition] = []
    if construct is Construct.OPERATOR or (_PLAIN_NAME.fullmatch(name) and construct not in _UNNAMED):
        found.append(Name(name))
    type_name = graph.strings[graph.type[node]].rpartition(".")[2]
    if construct in (Construct.CAST, Construct.INSTANCEOF) and _TYPE.fullmatch(type_name):
        found.append(Type(type_name))
    if construct in _COUNTED:
        found.append(Count(int(graph.arity[node])))
    return found


def _qualified(graph: Graph, node: int, name: str, random: Random) -> str:
    qualified = graph.strings[graph.qualified[node]]
    if CONSTRUCTS[graph.kind[node]] not in (Construct.CALL, Construct.IMPORT) or random.random() > _QUALIFIED_SHARE:
        return name
    parts = qualified.split(".")
    if len(parts) < 2 or not all(_PLAIN_NAME.fullmatch(part) for part in parts):
        return name
    return qualified if random.random() < 0.5 else ".".join(parts[-2:])


def _of_literal(value: str, kind: str) -> list[Condition]:
    if kind == "null" or kind == "boolean":
        return [Value(value)]
    found: list[Condition] = [Value(value)] if _PLAIN_VALUE.fullmatch(value) and value.strip() == value else []
    return [*found, Modifier(kind)] if kind in _LITERAL_KINDS else found
