"""Graphs that are built ahead, in a process of their own, are those that a question would build."""

from headwater.structural.flowgraph.ahead import build_ahead
from headwater.structural.flowgraph.cache import MemoryGraphCache, graph_of, key_of
from headwater.structural.flowgraph.graph import pack
from headwater.structural.source import SourceFile


def _source(number: int) -> SourceFile:
    content = f"def f{number}(x):\n    return g(x + {number})\n".encode()
    return SourceFile(f"f{number}.py", "python", content)


def test_s1_graphs_built_in_a_process_of_their_own_are_the_same() -> None:
    files, cache = [_source(number) for number in range(100)], MemoryGraphCache()
    assert build_ahead(files, cache) == 100
    for file in files:
        graph = graph_of(file)
        assert graph is not None
        assert cache.get(key_of(file)) == pack(graph)
    assert build_ahead(files, cache) == 0
