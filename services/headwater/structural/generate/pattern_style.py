"""Queries as the paper's Semgrep ones: from the concrete code, parts made general, enclosing code added."""

from collections import Counter
from random import Random

import numpy as np

from headwater.structural.flowgraph.graph import CONSTRUCTS, Graph, Role
from headwater.structural.generate.algorithm import Draft
from headwater.structural.generate.corpus import Place
from headwater.structural.generate.properties import exact
from headwater.structural.query import Condition, Construct, Count, Node, Related, Relation, query
from headwater.structural.semgrep.patterns import compile_query
from headwater.structural.unsupported import UnsupportedQueryError
from headwater.structural.walk import nodes

_TARGETS = (
    *(Construct.CALL, Construct.NEW, Construct.OPERATOR, Construct.ASSIGNMENT, Construct.CAST, Construct.INSTANCEOF),
    *(Construct.ARRAY_ACCESS, Construct.CONDITIONAL, Construct.IF, Construct.FOR, Construct.FOREACH, Construct.WHILE),
    *(Construct.DO, Construct.SYNCHRONIZED, Construct.RETURN, Construct.THROW, Construct.ASSERT, Construct.LITERAL),
    *(Construct.METHOD, Construct.CLASS),
)
_ROLES = {
    Role.ARGUMENT: Relation.ARGUMENT,
    Role.RECEIVER: Relation.RECEIVER,
    Role.VALUE: Relation.VALUE,
    Role.CONDITION: Relation.CONDITION,
}
_NUMBERED = (Construct.OPERATOR, Construct.CALL, Construct.NEW)
_WITHOUT_PARTS = (Construct.METHOD, Construct.CLASS, Construct.LAMBDA, Construct.ARRAY_ACCESS, Construct.CONDITIONAL)
_DEPTH = 3
_KEEP_COUNT = 0.35


class PatternStyle:
    """Init says all of the code; Generalize drops what is frequent so far; Specialize adds an enclosing construct."""

    name = "semgrep"
    constructs = frozenset(_TARGETS)

    def init(self, graph: Graph, place: Place, random: Random) -> Draft | None:
        return Draft(_concrete(graph, place.node, random, _DEPTH), place)

    def specialize(self, graph: Graph, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None:
        node = draft.place.node
        around = np.flatnonzero((np.arange(len(graph)) < node) & (graph.last > node))
        kinds = [CONSTRUCTS[graph.kind[a]] for a in around]
        possible = [
            a for a, kind in zip(around, kinds, strict=True) if kind in _TARGETS and kind is not draft.node.construct
        ]
        if not possible:
            return None
        outer = int(random.choice(possible))
        named = exact(graph, outer)[:1] if CONSTRUCTS[graph.kind[outer]] in (Construct.METHOD, Construct.CLASS) else []
        inside = Related(Relation.INSIDE, Node(CONSTRUCTS[graph.kind[outer]], tuple(named)))
        if inside in draft.node.where:
            return draft
        return Draft(Node(draft.node.construct, (*draft.node.where, inside)), draft.place)

    def generalize(self, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None:
        """Drops one related part, the likelier the more its constructs have been used."""
        parts = list(_removable(draft.node))
        if not parts:
            return None
        weights = [1 + sum(used[inner.construct] for inner in nodes(part.node)) for part in parts]
        dropped = random.choices(parts, weights)[0]
        return Draft(_without(draft.node, dropped), draft.place)

    def accepts(self, node: Node, language: str) -> bool:
        try:
            compile_query(query(node), language)
        except UnsupportedQueryError:
            return False
        return True


def _concrete(graph: Graph, node: int, random: Random, depth: int) -> Node:
    construct = CONSTRUCTS[graph.kind[node]]
    own = exact(graph, node)
    if construct in (Construct.CALL, Construct.NEW, Construct.METHOD) and random.random() > _KEEP_COUNT:
        own = [condition for condition in own if not isinstance(condition, Count)] or own
    if construct in (Construct.VARIABLE, Construct.FIELD) or construct in _WITHOUT_PARTS or depth == 0:
        return Node(construct, tuple(own))
    return Node(construct, (*own, *_parts(graph, node, construct, random, depth)))


def _parts(graph: Graph, node: int, construct: Construct, random: Random, depth: int) -> list[Condition]:
    found: list[Condition] = []
    for edge in np.flatnonzero(graph.source == node):
        relation = _ROLES.get(Role(int(graph.role[edge])))
        target = int(graph.target[edge])
        kind = CONSTRUCTS[graph.kind[target]]
        if relation is None or kind in (Construct.LAMBDA, Construct.PARAMETER) or construct is Construct.FOREACH:
            continue
        index = int(graph.index[edge]) if relation is Relation.ARGUMENT and construct in _NUMBERED else None
        found.append(Related(relation, _concrete(graph, target, random, depth - 1), index))
    return found


def _removable(node: Node) -> list[Related]:
    found = [condition for condition in node.where if isinstance(condition, Related)]
    return found + [inner for condition in found for inner in _removable(condition.node)]


def _without(node: Node, dropped: Related) -> Node:
    kept: list[Condition] = []
    for condition in node.where:
        if condition is dropped:
            continue
        if isinstance(condition, Related):
            condition = Related(condition.relation, _without(condition.node, dropped), condition.index)
        kept.append(condition)
    return Node(node.construct, tuple(kept))
