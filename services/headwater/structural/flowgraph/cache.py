"""Keeps each file's graph by its blob, so that unchanged content is never analysed twice."""

import logging
from collections import OrderedDict
from collections.abc import Set
from pathlib import Path
from threading import Lock
from typing import Protocol

from headwater.limits import count_reached, limits
from headwater.runtime.private_files import replace_file
from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.graph import FORMAT, Graph, pack, unpack
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.flowgraph.stackless import TooDeepError
from headwater.structural.source import Source

LOG = logging.getLogger(__name__)
_SPARE, _FEW = 3, 1000  # more than so many times the graphs in use are too many, and so many never are
ENGINE_VERSION = f"flowgraph-{FORMAT}.3"
_LEFT_OUT = b"left out: "  # no graph begins so


class GraphCache(Protocol):
    """Bytes by key; a lost entry only costs time."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...

    def keep(self, keys: Set[str]) -> None:
        """Gives back the room of all others, once that is worth it."""
        ...


class FolderGraphCache:
    """One file a graph, two levels deep."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        path = self._path(key)
        return path.read_bytes() if path.exists() else None

    def put(self, key: str, value: bytes) -> None:
        try:
            replace_file(self._path(key), value, durable=False)
        except OSError as error:
            LOG.warning("a flow graph can't be kept: %s", error)

    def keep(self, keys: Set[str]) -> None:
        held = list(self._folder.glob("??/*"))
        if len(held) > _SPARE * len(keys) + _FEW:
            for path in held:
                if path.name not in keys:
                    path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


class MemoryGraphCache:
    """For one process's lifetime, the most recently used up to `most` bytes."""

    def __init__(self, most: int = 256 << 20) -> None:
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._most, self._bytes, self._lock = most, 0, Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: str, value: bytes) -> None:
        with self._lock:
            self._bytes += len(value) - len(self._held.pop(key, b""))
            self._held[key] = value
            while self._bytes > self._most and len(self._held) > 1:
                self._bytes -= len(self._held.popitem(last=False)[1])

    def keep(self, keys: Set[str]) -> None:
        """Nothing: what is old falls out by itself."""


class LeftOutError(Exception):
    """A file has no graph; the message says why."""


def key_of(file: Source) -> str:
    """What the file's graph is kept by."""
    return f"{file.blob}-{file.language}-{ENGINE_VERSION}-{limits().graph_depth}"


def made(language: str, content: bytes) -> bytes:
    """What is kept of a file: its graph, or why it has none. Never raises for what a file holds."""
    depth = limits().graph_depth
    try:
        return pack(build(BY_NAME[language], content, depth))
    except TooDeepError:
        count_reached("graph_depth")
        return left_out(f"it nests more than {depth:,} levels deep")
    except Exception as error:  # one file must not cost the others theirs
        LOG.exception("a flow graph can't be built")
        return left_out(f"its graph can't be built: {type(error).__name__}")


def left_out(why: str) -> bytes:
    """What is kept in place of a graph."""
    return _LEFT_OUT + why.encode()


def graph_of(file: Source, cache: GraphCache | None = None) -> Graph | None:
    """The file's graph, None for a language that has no table and where no text can be had. Raises LeftOutError."""
    if file.language not in BY_NAME:
        return None
    held = cache.get(key_of(file)) if cache is not None else None
    if held is None:
        if not file.content:
            return None
        held = made(file.language, file.content)
        if cache is not None:
            cache.put(key_of(file), held)
    if held.startswith(_LEFT_OUT):
        raise LeftOutError(held.removeprefix(_LEFT_OUT).decode())
    return unpack(held)
