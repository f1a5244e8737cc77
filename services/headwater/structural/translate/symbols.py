"""Which names the searched code has, and as what: what decides whether a word of a question is a name."""

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from headwater.structural.flowgraph.graph import CONSTRUCTS, Graph
from headwater.structural.query import Construct

_NAMED = (
    *(Construct.CALL, Construct.NEW, Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD, Construct.METHOD),
    *(Construct.CLASS, Construct.ASSIGNMENT),
)

_SHORTEST_TYPO = 5


class Symbols:
    """Counts of each name by construct, and the simple names of types."""

    def __init__(self) -> None:
        self._kinds: dict[str, Counter[Construct]] = defaultdict(Counter)
        self._types: set[str] = set()

    @classmethod
    def of(cls, graphs: Iterable[Graph]) -> "Symbols":
        symbols = cls()
        for graph in graphs:
            symbols.add(graph)
        return symbols

    def add(self, graph: Graph) -> None:
        pairs, counts = np.unique(np.stack((graph.kind, graph.name)), axis=1, return_counts=True)
        for kind, name, count in zip(pairs[0], pairs[1], counts, strict=True):
            construct = CONSTRUCTS[kind]
            if construct in _NAMED and graph.strings[name]:
                self._kinds[graph.strings[name]][construct] += int(count)
        for type_id in np.unique(graph.type):
            self._types.update(part.rpartition(".")[2] for part in graph.strings[type_id].split(";"))

    def __contains__(self, name: str) -> bool:
        return name in self._kinds or name in self._types

    def nearest(self, name: str) -> str:
        """The name that one slip of the finger turned into this one, "" when none or too short to tell."""
        if len(name) < _SHORTEST_TYPO:
            return ""
        found = process.extractOne(name, self._kinds.keys(), scorer=OSA.distance, score_cutoff=1)
        return str(found[0]) if found is not None else ""

    def __len__(self) -> int:
        return len(self._kinds)

    def is_type(self, name: str) -> bool:
        return name in self._types or self.count(name, Construct.CLASS) > 0

    def count(self, name: str, construct: Construct) -> int:
        return self._kinds[name][construct] if name in self._kinds else 0

    def likeliest(self, name: str, among: tuple[Construct, ...]) -> Construct | None:
        """The construct that most often bears the name, None when none of those does."""
        best = max(among, key=lambda construct: self.count(name, construct))
        return best if self.count(name, best) else None
