"""Graphs that are built ahead, in a process of their own, are those that a question would build."""

import sys
from pathlib import Path

import pytest

from headwater.structural.flowgraph.ahead import build_ahead
from headwater.structural.flowgraph.cache import LeftOutError, MemoryGraphCache, graph_of, key_of
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


DIES = """
import os, sys
from headwater.runtime.channel import Channel
from headwater.structural.flowgraph import build_worker

make = build_worker.made
build_worker.made = lambda language, content: os._exit(9) if b"f77" in content else make(language, content)
build_worker.serve(Channel.inherited(int(sys.argv[1])))
"""


def test_s6_a_file_that_ends_the_process_costs_no_other_file_its_graph(tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text(DIES)
    files, cache = [_source(number) for number in range(100)], MemoryGraphCache()
    assert build_ahead(files, cache, (sys.executable, str(script))) == 99
    for number, file in enumerate(files):
        if number != 77:
            assert graph_of(file, cache) is not None
    with pytest.raises(LeftOutError, match="ended"):
        graph_of(files[77], cache)


def test_s6_a_file_that_nests_too_deep_costs_no_other_file_its_graph() -> None:
    deep = SourceFile("deep.py", "python", b"x = " + b"f(" * 30_000 + b"1" + b")" * 30_000)
    files, cache = [deep, *(_source(number) for number in range(100))], MemoryGraphCache()
    build_ahead(files, cache)
    assert all(graph_of(file, cache) is not None for file in files[1:])
    with pytest.raises(LeftOutError, match="20,000 levels"):
        graph_of(deep, cache)
