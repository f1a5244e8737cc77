"""Walks an intermediate query: its nodes, its conditions, and how complex it is."""

from collections.abc import Iterator

from headwater.structural.query import AllOf, AnyOf, Condition, Node, Not, Related


def conditions(node: Node) -> Iterator[Condition]:
    """Every condition at any depth, outermost first."""
    for condition in node.where:
        yield from _within(condition)


def nodes(node: Node) -> Iterator[Node]:
    """The node and every node that its conditions name."""
    yield node
    for condition in conditions(node):
        if isinstance(condition, Related):
            yield condition.node


def complexity(node: Node) -> int:
    """The paper's measure: how many constructs the query conditions on."""
    return sum(1 for _ in nodes(node))


def required(node: Node) -> Iterator[Condition]:
    """Conditions that hold of every match or of something in its file: not below any `any` or `not`."""
    for condition in node.where:
        yield from _required(condition)


def required_nodes(node: Node) -> Iterator[Node]:
    """Nodes that must exist in a file for it to hold a match."""
    yield node
    for condition in required(node):
        if isinstance(condition, Related):
            yield condition.node


def _within(condition: Condition) -> Iterator[Condition]:
    yield condition
    match condition:
        case Related(node=node):
            yield from conditions(node)
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            for part in parts:
                yield from _within(part)
        case Not(condition=inner):
            yield from _within(inner)


def _required(condition: Condition) -> Iterator[Condition]:
    yield condition
    match condition:
        case Related(node=node):
            yield from required(node)
        case AllOf(conditions=parts):
            for part in parts:
                yield from _required(part)
