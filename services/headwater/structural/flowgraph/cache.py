"""Keeps each file's graph by its blob, so that unchanged content is never analysed twice."""

from pathlib import Path
from typing import Protocol

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.graph import FORMAT, Graph, pack, unpack
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.source import SourceFile

ENGINE_VERSION = f"flowgraph-{FORMAT}.1"


class GraphCache(Protocol):
    """Bytes by key; a lost entry only costs time."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...


class FolderGraphCache:
    """One file a graph, two levels deep."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> bytes | None:
        path = self._path(key)
        return path.read_bytes() if path.exists() else None

    def put(self, key: str, value: bytes) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(value)
        temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key


class MemoryGraphCache:
    """For one process's lifetime."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self._held.get(key)

    def put(self, key: str, value: bytes) -> None:
        self._held[key] = value


def graph_of(file: SourceFile, cache: GraphCache | None = None) -> Graph | None:
    """The file's graph, None for a language that has no table."""
    language = BY_NAME.get(file.language)
    if language is None:
        return None
    if cache is None:
        return build(language, file.content)
    key = f"{file.blob}-{file.language}-{ENGINE_VERSION}"
    held = cache.get(key)
    if held is not None:
        return unpack(held)
    graph = build(language, file.content)
    cache.put(key, pack(graph))
    return graph
