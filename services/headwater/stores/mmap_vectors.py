"""The embedded vector store: an append-only int8 matrix in memory-mapped files, scanned exactly."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix
from headwater.domain.version import PipelineVersion
from headwater.stores.vector_store import Loss, VectorHit, VectorsUnavailableError
from headwater.stores.vectors.checksum import vector_checksums
from headwater.stores.vectors.folder import VectorFolder, append
from headwater.stores.vectors.nearest import Graph, Scores, best, cosines
from headwater.stores.vectors.row_log import LogEntry, encode
from headwater.stores.vectors.rows import HASH, Rows
from headwater.stores.vectors.seal import read_seal, write_seal

GRAPH_FROM = 1_000_000  # rows; below, the scan is both exact and fast enough
_COMPACT_SHARE = 0.5  # deleted rows are given back when they are this part of the matrix
_TAIL_SHARE = 8  # the graph is extended when an eighth of the rows is outside it
_OVERFETCH = 4  # for deleted rows that the graph still returns
_CHECKED_HITS = 128  # of an answer; the files' stamps tell about the rest

_Scored = tuple[Rows, npt.NDArray[np.int64], Scores]  # of which state, candidates and their scores


class MmapVectorStore:
    """`VectorStore` in one folder: one writer, any number of reading threads and processes.

    Vectors are written and synced before the log record that names them, so a crash leaves at most a tail that no
    record refers to. Every vector has a checksum that is bound to its content hash and the model; one that doesn't
    match is treated as absent. Raises VersionMismatchError when the folder holds another model's vectors.
    """

    def __init__(self, folder: str | Path, version: PipelineVersion, graph_from: int = GRAPH_FROM) -> None:
        self._folder = VectorFolder(Path(folder), version)
        self._dimensions, self._graph_from, self._salt = version.dimensions, graph_from, str(version)
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
                self._append_rows(b"".join(fresh), matrix[list(fresh.values())])
                self._extend_graph()

    def delete(self, hashes: Sequence[str]) -> None:
        with self._writing():
            held = dict.fromkeys(key for h in hashes if (key := bytes.fromhex(h)) in self._rows.of_hash)
            if held:
                self._append([LogEntry(key, False) for key in held])
            if self._rows.total - len(self._rows.of_hash) > _COMPACT_SHARE * self._rows.total:
                self._compact()

    def present(self, hashes: Sequence[str]) -> set[str]:
        with self._reading() as rows:
            return {h for h in hashes if bytes.fromhex(h) in rows.of_hash}

    def lost(self, hashes: Sequence[str]) -> dict[str, Loss]:
        """What is altered is treated as absent from now on."""
        keys = {bytes.fromhex(h): h for h in hashes}
        with self._reading() as rows:
            self._dropped(np.array([rows.of_hash[key] for key in keys if key in rows.of_hash], dtype=np.int64))
            missing = {h: key for key, h in keys.items() if key not in rows.of_hash}
            return {h: Loss.ALTERED if key in rows.altered else Loss.ABSENT for h, key in missing.items()}

    def intact(self) -> bool:
        with self._reading() as rows:
            return not rows.lost and (not rows.records or self._is_sealed())

    @property
    def is_accepted(self) -> bool:
        """Nothing happened behind the writer's back since `accept`."""
        with self._reading() as rows:
            return not rows.lost and self._is_sealed()

    def accept(self) -> None:
        """What is lost is known now to be absent, and will be written again."""
        with self._writing():
            if self._rows.lost or (self._rows.records and not self._is_sealed()):
                self._compact()  # which readers take notice of
                self._rows.lost = False
            self._seal()

    def distrust(self) -> None:
        """What is held is less than what should be: `intact` is false, in every process, until `accept`."""
        with self._lock:
            self._rows.lost = True
            with suppress(OSError):  # who may only read knows it for himself alone
                self._folder.seal_path(self._generation).unlink(missing_ok=True)

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        return self._sound_hits(lambda: self._nearest(query, limit), limit)

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        keys = [bytes.fromhex(h) for h in dict.fromkeys(hashes)]
        return self._sound_hits(lambda: self._nearest_of(query, keys), limit)

    def _nearest(self, query: Int8Matrix, limit: int) -> _Scored:
        with self._reading() as rows:
            matrix, alive, graph = rows.matrix, rows.alive.copy(), self._graph
        if graph is None or limit * _OVERFETCH > graph.covered:
            return rows, np.flatnonzero(alive), cosines(query, matrix)[alive]
        near = graph.nearest(query, limit * _OVERFETCH)
        candidates = np.concatenate([near[near < len(matrix)], np.arange(graph.covered, len(matrix))])
        candidates = candidates[alive[candidates]]
        return rows, candidates, cosines(query, matrix[candidates])

    def _nearest_of(self, query: Int8Matrix, keys: Sequence[bytes]) -> _Scored:
        with self._reading() as rows:
            found = (rows.of_hash.get(key, -1) for key in keys)
            candidates = np.fromiter((row for row in found if row >= 0), dtype=np.int64)
            matrix = rows.matrix
        return rows, candidates, cosines(query, matrix[candidates])

    def _sound_hits(self, scored: Callable[[], _Scored], limit: int) -> list[VectorHit]:
        """The best hits, asked for again without the rows among the first of them that turn out to be damaged."""
        while True:
            rows, candidates, scores = scored()
            ranked = _ranked(rows, candidates, scores, limit)
            with self._lock:
                if not len(self._dropped(np.array([row for *_, row in ranked[:_CHECKED_HITS]], dtype=np.int64), rows)):
                    return [VectorHit(key, -score) for score, key, _ in ranked]

    def _dropped(self, wanted: npt.NDArray[np.int64], rows: Rows | None = None) -> npt.NDArray[np.int64]:
        """Those of these rows that were found damaged just now."""
        rows = rows or self._rows
        found = rows.unsound(wanted)
        if len(found):
            rows.drop(found)
            self.distrust()
        return found

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
            if not self._closed and self._folder.holds_lease and self._is_sealed() and not self._rows.lost:
                self._seal()  # later than the last append, so that it is believed
            self._closed = True
            self._folder.release_lease()

    def _follow_generation(self) -> None:
        """Looks again after opening: the files of a generation are removed once it is no longer current."""
        while (generation := self._folder.current().generation) != self._generation:
            self._open(generation)

    def _open(self, generation: int) -> None:
        self._generation = generation
        matrix, log = self._folder.matrix_path(generation), self._folder.log_path(generation)
        seal = read_seal(self._folder.seal_path(generation))
        self._rows = Rows(matrix, log, self._dimensions, self._salt, seal)
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

    def _append_rows(self, keys: bytes, matrix: Int8Matrix) -> None:
        first = self._rows.total
        append(self._folder.matrix_path(self._generation), first * self._dimensions, matrix.tobytes())
        self._append(_entries(keys, matrix, self._salt, first))

    def _append(self, entries: list[LogEntry]) -> None:
        rows = self._rows
        append(self._folder.log_path(self._generation), rows.log_bytes, encode(entries, self._salt))
        rows.appended(entries)
        if not rows.lost:
            self._seal()

    def _seal(self) -> None:
        rows, folder, generation = self._rows, self._folder, self._generation
        matrix, log = folder.matrix_path(generation), folder.log_path(generation)
        write_seal(folder.seal_path(generation), generation, rows.records, log, matrix)

    def _is_sealed(self) -> bool:
        return self._folder.seal_path(self._generation).exists()

    def _compact(self) -> None:
        """Write the living rows as a new generation of files, then make it current."""
        old = self._rows
        keep = np.flatnonzero(old.alive)
        keep = np.setdiff1d(keep, old.unsound(keep))
        was_lost = old.lost or len(keep) < len(old.of_hash)
        keys = b"".join(bytes.fromhex(old.hash_of(int(row))) for row in keep)
        current = self._folder.current()
        generation = current.generation + 1
        matrix, log = self._folder.matrix_path(generation), self._folder.log_path(generation)
        append(matrix, 0, old.matrix[keep].tobytes())
        append(log, 0, encode(_entries(keys, old.matrix[keep], self._salt, 0), self._salt))
        if not was_lost:
            write_seal(self._folder.seal_path(generation), generation, len(keep), log, matrix)
        self._folder.replace_current(msgspec.structs.replace(current, generation=generation))
        self._open(generation)
        self._rows.lost = was_lost
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
        graph = (Graph.load(path, self._dimensions) if path.exists() else None) or Graph(self._dimensions)
        graph.extend(self._rows.matrix)
        graph.save(path)
        self._graph, self._graph_stamp = Graph.view(path, self._dimensions), path.stat().st_mtime_ns


def _ranked(rows: Rows, candidates: npt.NDArray[np.int64], scores: Scores, limit: int) -> list[tuple[float, str, int]]:
    """Negated score, hash and row of the best `limit` candidates, equal scores in the order of their hashes."""
    at = best(scores, limit)
    found = zip(scores[at].tolist(), candidates[at].tolist(), strict=True)
    return sorted((-score, rows.hash_of(row), row) for score, row in found)[: max(limit, 0)]


def _entries(keys: bytes, matrix: Int8Matrix, salt: str, first: int) -> list[LogEntry]:
    """For rows of these hashes from row `first` on."""
    checks = vector_checksums(keys, matrix, salt).tolist()
    return [LogEntry(keys[i * HASH : (i + 1) * HASH], True, first + i, check) for i, check in enumerate(checks)]
