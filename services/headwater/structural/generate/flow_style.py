"""Queries as the paper's GQL ones: from a general filter, one transform and its filters at a time."""

from collections import Counter
from random import Random

import numpy as np

from headwater.structural.flowgraph.graph import CONSTRUCTS, Graph
from headwater.structural.flowgraph.relate import related
from headwater.structural.generate.algorithm import Draft
from headwater.structural.generate.corpus import Place, only, weighted_node
from headwater.structural.generate.properties import candidates
from headwater.structural.query import OPPOSITE, Condition, Construct, Name, Node, Related, Relation

_EXCLUDED = (Construct.METHOD, Construct.CLASS, Construct.IMPORT, Construct.DECLARATION, Construct.LOOP, Construct.ANY)
_RELATIONS = tuple(r for r in Relation if r not in (Relation.INSIDE, Relation.CONTAINS))
_ORDER = (Relation.FOLLOWS, Relation.PRECEDES)
_ORDER_SHARE = 0.1
_ALWAYS_NAMED = (Construct.CALL, Construct.NEW, Construct.OPERATOR)
_NAMED_SHARE = 0.8
_SECOND_SHARE = 0.25


class FlowStyle:
    """Init is one filter; Specialize follows a transform to a construct that is rare so far; nothing to generalize."""

    name = "flowgraph"
    constructs = frozenset(construct for construct in Construct if construct not in _EXCLUDED)

    def init(self, graph: Graph, place: Place, random: Random) -> Draft | None:
        return Draft(Node(CONSTRUCTS[graph.kind[place.node]], described(graph, place.node, random)), place)

    def specialize(self, graph: Graph, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None:
        reached = self._reachable(graph, draft.place.node, random)
        if not reached:
            return None
        target = weighted_node(graph, sorted(reached), used, random)
        relation = random.choice(reached[target])
        if any(isinstance(c, Related) and c.relation is OPPOSITE[relation] for c in draft.node.where):
            return None  # there and back again says nothing
        conditions = (*described(graph, target, random), Related(relation, draft.node))
        return Draft(Node(CONSTRUCTS[graph.kind[target]], conditions), Place(draft.place.file, target))

    def generalize(self, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None:
        return None

    def accepts(self, node: Node, language: str) -> bool:
        return True

    def _reachable(self, graph: Graph, node: int, random: Random) -> dict[int, list[Relation]]:
        """The paper's T_next: executes every transform from the node. Mere order reaches far, so it is tried seldom."""
        found: dict[int, list[Relation]] = {}
        start = only(graph, node)
        for relation in _RELATIONS:
            if relation in _ORDER and random.random() > _ORDER_SHARE:
                continue
            for target in np.flatnonzero(related(graph, relation, start)):
                if target != node and CONSTRUCTS[graph.kind[target]] in self.constructs:
                    found.setdefault(int(target), []).append(relation)
        return found


def described(graph: Graph, node: int, random: Random) -> tuple[Condition, ...]:
    """None, one or two of the node's own conditions; a call or operator is mostly named."""
    possible = candidates(graph, node, random)
    if not possible:
        return ()
    named = [condition for condition in possible if isinstance(condition, Name)]
    share = _NAMED_SHARE if CONSTRUCTS[graph.kind[node]] in _ALWAYS_NAMED else 0.5
    chosen: list[Condition] = []
    if named and random.random() < share:
        chosen.append(named[0])
    others = [condition for condition in possible if condition not in chosen]
    if others and random.random() < (_SECOND_SHARE if chosen else 0.6):
        chosen.append(random.choice(others))
    return tuple(chosen)
