"""The embedded vector store: an append-only int8 matrix in memory-mapped files, scanned exactly."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.stores.vector_store import VectorHit, VectorsUnavailableError
from headwater.stores.vectors.folder import VectorFolder, append
from headwater.stores.vectors.nearest import Graph, best, cosines
from headwater.stores.vectors.row_log import LogEntry, encode
from headwater.stores.vectors.rows import Rows

GRAPH_FROM = 1_000_000  # rows; below, the scan is both exact and fast enough
_COMPACT_SHARE = 0.5  # deleted rows are given back when they are this part of the matrix
_TAIL_SHARE = 8  # the graph is extended when an eighth of the rows is outside it
_OVERFETCH = 4  # for deleted rows that the graph still returns


class MmapVectorStore:
    """`VectorStore` in one folder: one writer, any number of reading threads and processes.

    Vectors are written and synced before the log record that names them, so a crash leaves at most a tail that no
    record refers to. Raises VersionMismatchError when the folder holds another model's vectors.
    """

    def __init__(self, folder: str | Path, version: PipelineVersion, graph_from: int = GRAPH_FROM) -> None:
        self._folder = VectorFolder(Path(folder), version)
        self._dimensions, self._graph_from = version.dimensions, graph_from
        self._lock = threading.RLock()
        self._closed = False
        self._generation = 0
        self._follow_generation()

    def upsert(self, hashes: Sequence[str], vectors: Int8Matrix) -> None:
        matrix = np.ascontiguousarray(vectors, dtype=np.int8)
        if matrix.shape != (len(hashes), self._dimensions):
            raise ValueError(f"{len(hashes)} hashes need a matrix of {self._dimensions} columns, not {matrix.shape}")
        with self._writing():
            fresh = {bytes.fromhex(h): i for i, h in enumerate(hashes) if bytes.fromhex(h) not in self._rows.of_hash}
            if fresh:
                self._append([LogEntry(key, True) for key in fresh], matrix[list(fresh.values())])
                self._extend_graph()

    def delete(self, hashes: Sequence[str]) -> None:
        with self._writing():
            held = dict.fromkeys(key for h in hashes if (key := bytes.fromhex(h)) in self._rows.of_hash)
            if held:
                self._append([LogEntry(key, False) for key in held], np.empty((0, self._dimensions), dtype=np.int8))
            if self._rows.total - len(self._rows.of_hash) > _COMPACT_SHARE * self._rows.total:
                self._compact()

    def present(self, hashes: Sequence[str]) -> set[str]:
        with self._reading() as rows:
            return {h for h in hashes if bytes.fromhex(h) in rows.of_hash}

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        with self._reading() as rows:
            matrix, alive, graph = rows.matrix, rows.alive.copy(), self._graph
        if graph is None or limit * _OVERFETCH > graph.covered:
            return _hits(rows, np.flatnonzero(alive), cosines(query, matrix)[alive], limit)
        near = graph.nearest(query, limit * _OVERFETCH)
        candidates = np.concatenate([near, np.arange(graph.covered, len(matrix))])
        candidates = candidates[alive[candidates]]
        return _hits(rows, candidates, cosines(query, matrix[candidates]), limit)

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        with self._reading() as rows:
            found = (rows.of_hash.get(bytes.fromhex(h), -1) for h in dict.fromkeys(hashes))
            candidates = np.fromiter((row for row in found if row >= 0), dtype=np.int64)
            matrix = rows.matrix
        return _hits(rows, candidates, cosines(query, matrix[candidates]), limit)

    def hashes(self) -> Iterator[str]:
        with self._reading() as rows:
            held = list(rows.of_hash)
        return (key.hex() for key in held)

    def count(self) -> int:
        with self._reading() as rows:
            return len(rows.of_hash)

    def close(self) -> None:
        """Gives the writer's lease back."""
        with self._lock:
            self._closed = True
            self._folder.release_lease()

    def _follow_generation(self) -> None:
        """Looks again after opening: the files of a generation are removed once it is no longer current."""
        while (generation := self._folder.current().generation) != self._generation:
            self._open(generation)

    def _open(self, generation: int) -> None:
        self._generation = generation
        matrix, log = self._folder.matrix_path(generation), self._folder.log_path(generation)
        self._rows = Rows(matrix, log, self._dimensions)
        self._graph: Graph | None = None
        self._graph_stamp = 0

    @contextmanager
    def _reading(self) -> Iterator[Rows]:
        with self._lock:
            if self._closed:
                raise VectorsUnavailableError(f"the vector store {self._folder.path} is closed")
            try:
                self._follow_generation()
                self._rows.refresh()
                self._follow_graph()
                yield self._rows
            except OSError as error:
                raise VectorsUnavailableError(f"the vector store {self._folder.path} can't be read: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            self._folder.take_lease()  # first: what another writer appended before it left is then read
            with self._reading():
                yield

    def _append(self, entries: list[LogEntry], matrix: Int8Matrix) -> None:
        rows = self._rows
        if len(matrix):
            append(self._folder.matrix_path(self._generation), rows.total * self._dimensions, matrix.tobytes())
        append(self._folder.log_path(self._generation), rows.log_bytes, encode(entries))
        rows.apply(entries)

    def _compact(self) -> None:
        """Write the living rows as a new generation of files, then make it current."""
        old = self._rows
        keep = np.flatnonzero(old.alive)
        keys = [bytes.fromhex(old.hash_of(int(row))) for row in keep]
        current = self._folder.current()
        generation = current.generation + 1
        append(self._folder.matrix_path(generation), 0, old.matrix[keep].tobytes())
        append(self._folder.log_path(generation), 0, encode(LogEntry(key, True) for key in keys))
        self._folder.replace_current(msgspec.structs.replace(current, generation=generation))
        self._open(generation)
        self._extend_graph()
        self._folder.remove_other_generations(generation)

    def _tail_is_long(self) -> bool:
        """Many rows are outside the graph."""
        total = self._rows.total
        covered = self._graph.covered if self._graph is not None else 0
        return total >= self._graph_from and (total - covered) * _TAIL_SHARE >= total

    def _follow_graph(self) -> None:
        """Take up the graph that the writer has extended in the meantime."""
        path = self._folder.graph_path(self._generation)
        if self._tail_is_long() and path.exists() and (stamp := path.stat().st_mtime_ns) != self._graph_stamp:
            self._graph, self._graph_stamp = Graph.view(path, self._dimensions), stamp

    def _extend_graph(self) -> None:
        if not self._tail_is_long():
            return
        path = self._folder.graph_path(self._generation)
        graph = Graph.load(path, self._dimensions) if path.exists() else Graph(self._dimensions)
        graph.extend(self._rows.matrix)
        graph.save(path)
        self._graph, self._graph_stamp = Graph.view(path, self._dimensions), path.stat().st_mtime_ns


def _hits(
    rows: Rows, candidates: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], limit: int
) -> list[VectorHit]:
    """The best `limit` candidates, equal scores in the order of their hashes."""
    ranked = sorted((-float(scores[at]), rows.hash_of(int(candidates[at]))) for at in best(scores, limit))
    return [VectorHit(key, -score) for score, key in ranked[: max(limit, 0)]]
