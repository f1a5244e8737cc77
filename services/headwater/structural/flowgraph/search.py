"""Runs a Flowgraph rule over graphs, many files at a time."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

import numpy as np

from headwater.structural.deadline import UNBOUNDED, Work
from headwater.structural.flowgraph.cache import GraphCache, LeftOutError, graph_of
from headwater.structural.flowgraph.evaluate import run
from headwater.structural.flowgraph.graph import Graph, merge
from headwater.structural.flowgraph.pipeline import Pipeline, Rule
from headwater.structural.match import Match
from headwater.structural.source import Source

_BATCH = 512  # files merged into one graph: large enough for array speed, small enough to stream


def search(rule: Rule, files: Iterable[Source], cache: GraphCache | None = None) -> Iterator[Match]:
    """Matches in order of file and position, a batch of files at a time."""
    wanted = (file for file in files if rule.language in ("", file.language))
    while batch := list(islice(wanted, _BATCH)):
        graphs = []
        for file in batch:
            with suppress(LeftOutError):
                if (graph := graph_of(file, cache)) is not None:
                    graphs.append((file.path, graph))
        yield from matches(merge(graphs), rule.steps)


def matches(graph: Graph, steps: Pipeline, work: Work = UNBOUNDED) -> Iterator[Match]:
    """The matches in one merged graph. Raises CutShortError."""
    found = np.flatnonzero(run(graph, steps, work))
    order = np.lexsort((graph.column[found], graph.line[found], graph.file[found]))
    for index in found[order]:
        path = graph.paths[graph.file[index]]
        yield Match(path, int(graph.line[index]), int(graph.end_line[index]), int(graph.column[index]))
