"""The paper's Algorithm 1: sample a construct, make a query of it, reach the wanted complexity, verify each step."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Protocol

import msgspec
import numpy as np

from headwater.structural.flowgraph.compile import compile_query
from headwater.structural.flowgraph.evaluate import run
from headwater.structural.flowgraph.graph import Graph
from headwater.structural.generate.corpus import Corpus, Place
from headwater.structural.query import Construct, Node, query
from headwater.structural.walk import complexity, nodes

_MOST_STEPS = 24
_COMPLEXITIES = ((1, 3), (2, 4), (3, 3), (4, 2), (5, 1))  # (constructs a query, weight)


class Draft(msgspec.Struct, frozen=True):
    """A query and the construct that it must match."""

    node: Node
    place: Place


class Style(Protocol):
    """What differs between the engines: Init, Specialize and Generalize. None means: start over."""

    name: str
    constructs: frozenset[Construct]

    def init(self, graph: Graph, place: Place, random: Random) -> Draft | None: ...

    def specialize(self, graph: Graph, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None: ...

    def generalize(self, draft: Draft, used: Counter[Construct], random: Random) -> Draft | None: ...

    def accepts(self, node: Node, language: str) -> bool: ...


def generate(corpus: Corpus, style: Style, number: int, seed: int) -> Iterator[Node]:
    """Up to `number` different verified queries; the same corpus and seed give the same ones."""
    random, used, seen = Random(seed), Counter[Construct](), set[Node]()
    for _ in range(number * 50):
        if len(seen) == number:
            return
        made = _one(corpus, style, used, random)
        if made is None or made in seen:
            continue
        seen.add(made)
        used.update(node.construct for node in nodes(made))
        yield made


def _one(corpus: Corpus, style: Style, used: Counter[Construct], random: Random) -> Node | None:
    place = corpus.sample(used, style.constructs, random)
    if place is None:
        return None
    graph, language = corpus.graphs[place.file], corpus.languages[place.file]
    wanted = random.choices([c for c, _ in _COMPLEXITIES], [weight for _, weight in _COMPLEXITIES])[0]
    draft = style.init(graph, place, random)
    for _ in range(_MOST_STEPS):
        if draft is None or not matches(graph, draft):
            return None
        size = complexity(draft.node)
        if size == wanted:
            return draft.node if style.accepts(draft.node, language) else None
        if size < wanted:
            draft = style.specialize(graph, draft, used, random)
        else:
            draft = style.generalize(draft, used, random)
    return None


def matches(graph: Graph, draft: Draft) -> bool:
    """Verification by execution: the query finds the construct it was made for."""
    found = run(graph, compile_query(query(draft.node)).steps)
    return bool(np.asarray(found)[draft.place.node])
