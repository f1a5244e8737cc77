"""Nearest rows by cosine: exact over int8, and a graph for stores too large to scan."""

import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix
from headwater.runtime.private_files import make_private

Scores = npt.NDArray[np.float64]
_EXPANSION = 128
_DIGEST, _PART = 4, 1 << 24  # bytes


def cosines(query: Int8Matrix, rows: Int8Matrix) -> Scores:
    """One cosine a row. The same row gives the same score, whichever rows are scanned with it."""
    if not len(rows):
        return np.zeros(0)
    import numkong  # here, since only a search needs it

    distances = numkong.cdist(query.reshape(1, -1), rows, metric="angular")
    return 1.0 - np.asarray(distances, dtype=np.float64).ravel()


def best(scores: Scores, limit: int) -> npt.NDArray[np.int64]:
    """Positions of the highest `limit` scores, and of all that tie with the last, in no order."""
    if limit <= 0:
        return np.empty(0, dtype=np.int64)
    if len(scores) <= limit:
        return np.arange(len(scores))
    threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    return np.flatnonzero(scores >= threshold)


class Graph:
    """An HNSW over the first `covered` rows; its keys are row numbers."""

    def __init__(self, dimensions: int) -> None:
        from usearch.index import Index  # here, since most processes never need a graph and it costs 0.04 s

        self._index = Index(ndim=dimensions, metric="cos", dtype="i8", expansion_search=_EXPANSION)

    @staticmethod
    def load(path: Path, dimensions: int) -> "Graph | None":
        """A graph that can be extended, in memory; None when the file isn't what `save` wrote."""
        graph = Graph(dimensions)
        if not _is_whole(path):
            return None
        graph._index.load(str(path))
        return graph

    @staticmethod
    def view(path: Path, dimensions: int) -> "Graph | None":
        """A graph to search only, memory-mapped; None when the file isn't what `save` wrote."""
        graph = Graph(dimensions)
        if not _is_whole(path):
            return None
        graph._index.view(str(path))
        return graph

    @property
    def covered(self) -> int:
        return len(self._index)

    def extend(self, matrix: Int8Matrix) -> None:
        """Cover all rows of the matrix."""
        fresh = np.arange(self.covered, len(matrix))
        if len(fresh):
            self._index.add(fresh, matrix[self.covered :])

    def save(self, path: Path) -> None:
        """Atomic."""
        draft = path.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        make_private(draft)
        self._index.save(str(draft))
        digest = _digest(draft, draft.stat().st_size)
        with draft.open("ab") as file:
            file.write(digest)
        draft.replace(path)

    def nearest(self, query: Int8Matrix, limit: int) -> npt.NDArray[np.int64]:
        """About the `limit` nearest rows."""
        found = self._index.search(query, min(limit, self.covered))
        return np.asarray(found.keys, dtype=np.int64).ravel()


def _is_whole(path: Path) -> bool:
    """A damaged graph must not be opened: it is walked by code that trusts its offsets."""
    end = path.stat().st_size - _DIGEST
    with path.open("rb") as file:
        file.seek(max(0, end))
        return end > 0 and file.read() == _digest(path, end)


def _digest(path: Path, end: int) -> bytes:
    """CRC-32 of the first `end` bytes."""
    found = 0
    with path.open("rb") as file:
        while end and (part := file.read(min(end, _PART))):
            found, end = zlib.crc32(part, found), end - len(part)
    return found.to_bytes(_DIGEST, "little")
