"""The code that queries are generated from: one graph a file, and where each construct occurs."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from random import Random

import msgspec
import numpy as np

from headwater.structural.flowgraph.cache import GraphCache, LeftOutError, graph_of
from headwater.structural.flowgraph.graph import CODES, CONSTRUCTS, Graph
from headwater.structural.query import Construct
from headwater.structural.source import Source


class Place(msgspec.Struct, frozen=True):
    """One occurrence of a construct: the node of a file's graph."""

    file: int
    node: int


class Corpus:
    """Graphs by file number, with the occurrences of every construct."""

    def __init__(self, files: Iterable[Source], cache: GraphCache | None = None) -> None:
        self.paths: list[str] = []
        self.languages: list[str] = []
        self.graphs: list[Graph] = []
        self._places: dict[Construct, list[Place]] = defaultdict(list)
        for file in files:
            with suppress(LeftOutError):
                graph = graph_of(file, cache)
                if graph is not None and len(graph):
                    self._add(file, graph)

    def _add(self, file: Source, graph: Graph) -> None:
        number = len(self.graphs)
        self.paths.append(file.path)
        self.languages.append(file.language)
        self.graphs.append(graph)
        for node in range(len(graph)):
            self._places[CONSTRUCTS[graph.kind[node]]].append(Place(number, node))

    def sample(self, used: Counter[Construct], among: frozenset[Construct], random: Random) -> Place | None:
        """The paper's WeightedSample: a construct type e with weight 1/(1+c_e), then any occurrence of it."""
        kinds = [kind for kind in self._places if kind in among]
        if not kinds:
            return None
        chosen = random.choices(kinds, [1 / (1 + used[kind]) for kind in kinds])[0]
        return random.choice(self._places[chosen])


def weighted_node(graph: Graph, nodes: list[int], used: Counter[Construct], random: Random) -> int:
    """One of the nodes, by the same weights."""
    kinds = sorted({CONSTRUCTS[graph.kind[node]] for node in nodes})
    chosen = random.choices(kinds, [1 / (1 + used[kind]) for kind in kinds])[0]
    return random.choice([node for node in nodes if graph.kind[node] == CODES[chosen]])


def only(graph: Graph, node: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    mask = np.zeros(len(graph), dtype=bool)
    mask[node] = True
    return mask
