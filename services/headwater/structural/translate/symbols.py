"""Which names the searched code has, and as what: what decides whether a word of a question is a name."""

from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import OSA

from headwater.structural.deadline import UNBOUNDED, Work
from headwater.structural.flowgraph.graph import Graph
from headwater.structural.query import Construct

_SHORTEST_TYPO = 5
_COMPARING = 20  # as much as so many looks at a node


class Symbols:
    """Counts of each name by construct, and the simple names of types, over all graphs."""

    def __init__(self, graphs: Iterable[Graph] = (), work: Work = UNBOUNDED) -> None:
        """Raises CutShortError."""
        held, self._work, self._nearest = list(graphs), work, dict[str, str]()
        for graph in held:
            work.spend(len(graph))
            _ = graph.names, graph.type_names
        self._names = [graph.names for graph in held]
        self._types = [graph.type_names for graph in held]

    def __contains__(self, name: str) -> bool:
        return any(name in names for names in self._names) or any(name in types for types in self._types)

    def check(self) -> None:
        """Raises OutOfTimeError once the question's time is up."""
        self._work.check()

    def nearest(self, name: str) -> str:
        """The name that one slip of the finger turned into this one, "" when none or too short to tell.

        Compares with every name of the code, once for each different `name`. Raises CutShortError.
        """
        if len(name) < _SHORTEST_TYPO:
            return ""
        if name not in self._nearest:
            self._nearest[name] = self._compared(name)
        return self._nearest[name]

    def _compared(self, name: str) -> str:
        for names in self._names:
            self._work.spend(_COMPARING * len(names))
            found = process.extractOne(name, names.keys(), scorer=OSA.distance, score_cutoff=1)
            if found is not None:
                return str(found[0])
        return ""

    def is_type(self, name: str) -> bool:
        return any(name in types for types in self._types) or self.count(name, Construct.CLASS) > 0

    def count(self, name: str, construct: Construct) -> int:
        return sum(names[name][construct] for names in self._names if name in names)

    def likeliest(self, name: str, among: tuple[Construct, ...]) -> Construct | None:
        """The construct that most often bears the name, None when none of those does."""
        best = max(among, key=lambda construct: self.count(name, construct))
        return best if self.count(name, best) else None
