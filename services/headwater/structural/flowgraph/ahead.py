"""Builds graphs before they are asked for, in a process of its own, so that answers in this one stay quick."""

import logging
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from itertools import chain, islice

import msgspec

from headwater.metrics import METRICS
from headwater.runtime.channel import Channel, start_worker
from headwater.runtime.child_process import python_command
from headwater.structural.flowgraph.cache import GraphCache, LeftOutError, graph_of, key_of, left_out
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.source import Source

LOG = logging.getLogger(__name__)
_FEW = 64  # are built here: a process costs as much as some hundred files
_BATCH = 32
_COMMAND = python_command("-m", "headwater.structural.flowgraph.build_worker")


def build_ahead(files: Iterable[Source], cache: GraphCache, command: Sequence[str] = _COMMAND) -> int:
    """Builds what the cache lacks; how many graphs that were. What can't be built now is built when it is asked for."""
    missing = (file for file in files if file.language in BY_NAME and cache.get(key_of(file)) is None)
    first = list(islice(missing, _FEW))
    if len(first) < _FEW:
        built = sum(_built(file, cache) for file in first)
    else:
        built = _in_a_process(chain(first, missing), cache, command)
    METRICS.count("headwater_structural_graphs_total", built)
    return built


def _built(file: Source, cache: GraphCache) -> bool:
    with suppress(LeftOutError):
        return graph_of(file, cache) is not None
    return False


def _in_a_process(files: Iterable[Source], cache: GraphCache, command: Sequence[str]) -> int:
    """A batch that ends the process is given to further ones file by file: one that ends its own has no graph."""
    readable = (file for file in files if file.content)
    pending = list(islice(readable, _BATCH))
    built, singly = 0, deque[Source]()
    while pending:
        child, channel = start_worker(command)
        with closing(channel), child:
            try:
                while pending:
                    for file, graph in zip(pending, _asked(channel, pending), strict=True):
                        cache.put(key_of(file), graph)
                    built += len(pending)
                    pending = [singly.popleft()] if singly else list(islice(readable, _BATCH))
            except (EOFError, ConnectionError):
                if len(pending) == 1:
                    cache.put(key_of(pending[0]), left_out("the process that built its graph ended"))
                    LOG.warning("%s has no flow graph: the process that built it ended", pending[0].path)
                else:
                    singly.extend(pending)
                pending = [singly.popleft()] if singly else list(islice(readable, _BATCH))
            finally:
                child.kill()
    return built


def _asked(channel: Channel, files: list[Source]) -> list[bytes]:
    """What is kept of each. Raises EOFError, ConnectionError."""
    channel.send_bytes(msgspec.msgpack.encode([(file.language, file.content) for file in files]))
    return msgspec.msgpack.decode(channel.recv_bytes(), type=list[bytes])
