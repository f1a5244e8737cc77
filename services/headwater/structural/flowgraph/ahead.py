"""Builds graphs before they are asked for, in a process of its own, so that answers in this one stay quick."""

import logging
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context

from headwater.metrics import METRICS
from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.cache import GraphCache, graph_of, key_of
from headwater.structural.flowgraph.graph import pack
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.source import Source

LOG = logging.getLogger(__name__)
_FEW = 64  # are built here: a process costs as much as some hundred files
_BATCH = 32
_NICENESS = 10


def build_ahead(files: Iterable[Source], cache: GraphCache) -> int:
    """Builds what the cache lacks; how many graphs that were. What can't be built now is built when it is asked for."""
    missing = (file for file in files if file.language in BY_NAME and cache.get(key_of(file)) is None)
    first = list(islice(missing, _FEW))
    if len(first) < _FEW:
        built = sum(graph_of(file, cache) is not None for file in first)
    else:
        built = _in_a_process(chain(first, missing), cache)
    METRICS.count("headwater_structural_graphs_total", built)
    return built


def _in_a_process(files: Iterable[Source], cache: GraphCache) -> int:
    built, readable = 0, (file for file in files if file.content)
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=os.nice, initargs=(_NICENESS,)) as pool:
        while batch := list(islice(readable, _BATCH)):
            try:
                made = pool.submit(_packed, [(file.language, file.content) for file in batch]).result()
            except BrokenProcessPool as error:
                LOG.warning("flow graphs can't be built ahead, a question will build them: %s", error)
                return built
            for file, graph in zip(batch, made, strict=True):
                cache.put(key_of(file), graph)
            built += len(batch)
    return built


def _packed(files: list[tuple[str, bytes]]) -> list[bytes]:
    return [pack(build(BY_NAME[language], content)) for language, content in files]
