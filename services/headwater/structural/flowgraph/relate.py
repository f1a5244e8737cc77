"""Which nodes stand in a relation to some node of a set, computed for all nodes of a graph at once."""

import numpy as np

from headwater.structural.flowgraph.graph import CODES, Graph, Ints, Mask, Role
from headwater.structural.query import Construct, Relation

_DECIDED = (Role.BODY, Role.ELSE)
_OPERANDS = (Role.ARGUMENT, Role.RECEIVER, Role.VALUE)


def related(graph: Graph, relation: Relation, others: Mask, index: int | None = None) -> Mask:
    """The nodes that stand in the relation to at least one of `others`; `index` restricts to one argument."""
    if relation in _REGIONS:
        roles, of_owner = _REGIONS[relation]
        return _owns_region(graph, others, roles) if of_owner else _in_regions(graph, others, roles)
    if relation in _ROLES:
        role, backward = _ROLES[relation]
        return _step(graph, others, (role,), index, backward=backward)
    if relation is Relation.USES:
        return _users(graph, _carriers(graph, others))
    if relation is Relation.USED_BY:
        return _carriers(graph, _used(graph, others))
    return _by_position(graph, relation, others)


def _by_position(graph: Graph, relation: Relation, others: Mask) -> Mask:
    if relation is Relation.CONTAINS:
        return _holds(others, np.arange(len(graph)) + 1, graph.last)
    if relation is Relation.PRECEDES:
        return _holds(others, graph.last, graph.block_end)
    nodes = np.flatnonzero(others)
    if relation is Relation.INSIDE:
        return _ranges(graph, nodes + 1, graph.last[nodes])
    return _ranges(graph, graph.last[nodes], graph.block_end[nodes])


_REGIONS: dict[Relation, tuple[tuple[Role, ...], bool]] = {
    Relation.CONTROLLED_BY: (_DECIDED, False),
    Relation.CONTROLS: (_DECIDED, True),
    Relation.CONDITION_OF: ((Role.CONDITION,), False),
    Relation.CONDITION: ((Role.CONDITION,), True),
}
_ROLES = {
    Relation.RECEIVER: (Role.RECEIVER, True),
    Relation.RECEIVER_OF: (Role.RECEIVER, False),
    Relation.ARGUMENT: (Role.ARGUMENT, True),
    Relation.ARGUMENT_OF: (Role.ARGUMENT, False),
    Relation.VALUE: (Role.VALUE, True),
    Relation.VALUE_OF: (Role.VALUE, False),
}


def _step(graph: Graph, others: Mask, roles: tuple[Role, ...], index: int | None = None, *, backward: bool) -> Mask:
    """Sources of edges into `others` when backward, else targets of edges out of them."""
    found = np.zeros(len(graph), dtype=bool)
    for role in roles:
        source, target, position = graph.edges(role)
        near, far = (target, source) if backward else (source, target)
        kept = others[near] if index is None else others[near] & (position == index)
        found[far[kept]] = True
    return found


def _carriers(graph: Graph, nodes: Mask) -> Mask:
    """The nodes and every definition and use of a variable that may carry the same value. Its own inverse."""
    definitions = _step(graph, nodes, (Role.REACHES,), backward=True)
    definitions |= _step(graph, nodes, (Role.BOUND,), backward=True)
    definitions |= nodes & graph.definitions
    uses = _step(graph, definitions, (Role.REACHES,), backward=False)
    values = _step(graph, definitions, (Role.BOUND,), backward=False)
    return nodes | definitions | uses | values


def _users(graph: Graph, values: Mask) -> Mask:
    return _step(graph, values, _OPERANDS, backward=True) | _owns_region(graph, values, (Role.CONDITION,))


def _used(graph: Graph, users: Mask) -> Mask:
    return _step(graph, users, _OPERANDS, backward=False) | _in_regions(graph, users, (Role.CONDITION,))


def _in_regions(graph: Graph, owners: Mask, roles: tuple[Role, ...]) -> Mask:
    found = np.zeros(len(graph), dtype=bool)
    for role in roles:
        owner, start, stop = graph.regions(role)
        kept = owners[owner]
        found |= _ranges(graph, start[kept], stop[kept])
    return found


def _owns_region(graph: Graph, held: Mask, roles: tuple[Role, ...]) -> Mask:
    before = _before(held)
    found = np.zeros(len(graph), dtype=bool)
    for role in roles:
        owner, start, stop = graph.regions(role)
        found[owner[before[stop] > before[start]]] = True
    return found


def _ranges(graph: Graph, starts: Ints, stops: Ints) -> Mask:
    """The union of half-open ranges of nodes."""
    change = np.bincount(starts, minlength=len(graph) + 1) - np.bincount(stops, minlength=len(graph) + 1)
    return np.asarray(np.cumsum(change)[: len(graph)] > 0, dtype=bool)


def _holds(held: Mask, starts: Ints, stops: Ints) -> Mask:
    """For each range, whether a node of `held` is in it."""
    before = _before(held)
    return np.asarray(before[stops] > before[starts], dtype=bool)


def _before(held: Mask) -> Ints:
    return np.concatenate(([0], np.cumsum(held)))


def of_construct(graph: Graph, construct: Construct) -> Mask:
    """Nodes of a construct; a call of a class, where the language has no `new`, is a creation too."""
    kinds = np.asarray(graph.kind == CODES[construct], dtype=bool)
    if construct is not Construct.NEW:
        return kinds
    constructors = [i for i, text in enumerate(graph.strings) if text == " constructor "]
    calls = np.asarray(graph.kind == CODES[Construct.CALL], dtype=bool)
    return kinds | (calls & np.isin(graph.modifiers, constructors))
