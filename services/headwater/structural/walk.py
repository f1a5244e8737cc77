"""Walks an intermediate query: its nodes, its conditions, and how complex it is."""

from collections.abc import Callable, Iterator, Sequence

from headwater.structural.query import AllOf, AnyOf, Condition, Node, Not, Related


def conditions(node: Node) -> Iterator[Condition]:
    """Every condition at any depth, outermost first."""
    return _outermost_first(node, _all_inside)


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
    return _outermost_first(node, _required_inside)


def required_nodes(node: Node) -> Iterator[Node]:
    """Nodes that must exist in a file for it to hold a match."""
    yield node
    for condition in required(node):
        if isinstance(condition, Related):
            yield condition.node


def _outermost_first(node: Node, inside: Callable[[Condition], Sequence[Condition]]) -> Iterator[Condition]:
    pending = list(reversed(node.where))
    while pending:
        condition = pending.pop()
        yield condition
        pending += reversed(inside(condition))


def _all_inside(condition: Condition) -> Sequence[Condition]:
    match condition:
        case AnyOf(conditions=parts):
            return parts
        case Not(condition=inner):
            return (inner,)
    return _required_inside(condition)


def _required_inside(condition: Condition) -> Sequence[Condition]:
    match condition:
        case Related(node=node):
            return node.where
        case AllOf(conditions=parts):
            return parts
    return ()
