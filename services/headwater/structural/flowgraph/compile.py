"""Compiles an intermediate query to a Flowgraph pipeline. Every query can be expressed."""

import re

from headwater.structural.flowgraph.pipeline import (
    ANY_ARGUMENT,
    CONTROL_KINDS,
    NODE_TYPES,
    TRANSFORMS,
    Pipeline,
    Rule,
    Step,
)
from headwater.structural.query import (
    OPPOSITE,
    AllOf,
    AnyOf,
    Condition,
    Construct,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Query,
    Related,
    Type,
    Value,
)

_CONTROL_NAMES = {construct: name for name, construct in CONTROL_KINDS.items()}
_NODE_NAMES = {construct: name for name, construct in NODE_TYPES.items()}
_TRANSFORM_NAMES = {relation: name for name, relation in TRANSFORMS.items()}
_INDEXED = ("withArgumentTransform", "withArgumentUsersTransform")


def compile_query(query: Query) -> Rule:
    return Rule(_node(query.target), language=query.language)


def name_regex(pattern: str) -> str:
    """A plain name as such; a dotted one matches the end of a qualified name. `*` stands for anything."""
    body = ".*".join(re.escape(part) for part in pattern.split("*"))
    return f"(?:.*\\.)?{body}" if "." in pattern.strip(".") else body


def _node(node: Node) -> Pipeline:
    control = _CONTROL_NAMES.get(node.construct)
    kind = (
        Step("withControlFilter", (control,))
        if control is not None
        else Step("withNodeByTypeFilter", (_NODE_NAMES[node.construct],))
    )
    return (kind, *(_condition(condition, node.construct) for condition in node.where))


def _condition(condition: Condition, owner: Construct) -> Step:
    match condition:
        case Name(pattern=pattern):
            return _name(pattern, owner)
        case Type(pattern=pattern):
            return Step("withDataByTypeFilter", (True, pattern))
        case Value(text=text):
            return Step("withDataByValueFilter", (text,))
        case Count(n=n, op=op):
            return Step("withNumberOfArgumentsFilter", (n, op))
        case Modifier(name=name):
            return Step("withModifierFilter", (name,))
        case Not(condition=inner):
            return Step("withNegationOf", (), ((_condition(inner, owner),),))
        case AllOf(conditions=parts):
            return Step("withAllOf", (), tuple((_condition(part, owner),) for part in parts))
        case AnyOf(conditions=parts):
            return Step("withAnyOf", (), tuple((_condition(part, owner),) for part in parts))
        case Related():
            return Step("withAllOf", (), ((_transform(condition), *_node(condition.node)),))


def _name(pattern: str, owner: Construct) -> Step:
    if owner in (Construct.CALL, Construct.NEW):
        return Step("withMethodCallFilter", (name_regex(pattern),))
    if owner is Construct.OPERATOR:
        return Step("withActionFilter", (re.escape(pattern),))
    return Step("withDataByNameFilter", (name_regex(pattern),))


def _transform(condition: Related) -> Step:
    name = _TRANSFORM_NAMES[OPPOSITE[condition.relation]]
    if name not in _INDEXED:
        return Step(name)
    return Step(name, (ANY_ARGUMENT if condition.index is None else condition.index,))
