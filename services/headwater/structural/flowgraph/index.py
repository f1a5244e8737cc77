"""The flow graphs of one set of files, merged and held for many queries."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from headwater.structural.flowgraph.cache import GraphCache, graph_of
from headwater.structural.flowgraph.graph import Graph, merge
from headwater.structural.flowgraph.pipeline import Rule
from headwater.structural.flowgraph.search import matches
from headwater.structural.match import Match
from headwater.structural.source import SourceFile

_SHARD = 1024  # files a merged graph: large enough for array speed, small enough to stream


class GraphIndex:
    """Merged graphs by language. Immutable: a new generation is a new index over the same cache."""

    def __init__(self, files: Iterable[SourceFile], cache: GraphCache | None = None) -> None:
        by_language: dict[str, list[tuple[str, Graph]]] = defaultdict(list)
        for file in files:
            graph = graph_of(file, cache)
            if graph is not None:
                by_language[file.language].append((file.path, graph))
        self._shards = [
            (language, merge(graphs[start : start + _SHARD]))
            for language, graphs in sorted(by_language.items())
            for start in range(0, len(graphs), _SHARD)
        ]

    @property
    def graphs(self) -> list[Graph]:
        return [graph for _, graph in self._shards]

    def search(self, rule: Rule) -> Iterator[Match]:
        """Matches by language and in order of file and position, a shard at a time."""
        for language, graph in self._shards:
            if rule.language in ("", language):
                yield from matches(graph, rule.steps)
