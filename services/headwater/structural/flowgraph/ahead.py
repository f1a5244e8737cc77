"""Builds graphs before they are asked for, in a process of its own, so that answers in this one stay quick."""

import logging
from collections.abc import Iterable
from contextlib import closing
from itertools import chain, islice

import msgspec

from headwater.metrics import METRICS
from headwater.runtime.channel import start_worker
from headwater.runtime.child_process import python_command
from headwater.structural.flowgraph.cache import GraphCache, graph_of, key_of
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.source import Source

LOG = logging.getLogger(__name__)
_FEW = 64  # are built here: a process costs as much as some hundred files
_BATCH = 32
_COMMAND = python_command("-m", "headwater.structural.flowgraph.build_worker")


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
    child, channel = start_worker(_COMMAND)
    with closing(channel), child:
        try:
            while batch := list(islice(readable, _BATCH)):
                channel.send_bytes(msgspec.msgpack.encode([(file.language, file.content) for file in batch]))
                made = msgspec.msgpack.decode(channel.recv_bytes(), type=list[bytes])
                for file, graph in zip(batch, made, strict=True):
                    cache.put(key_of(file), graph)
                built += len(batch)
        except (EOFError, ConnectionError):
            LOG.warning("flow graphs can't be built ahead, a question will build them: their process has ended")
        finally:
            child.kill()
    return built
