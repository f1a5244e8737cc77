"""One generation of the matrix as a process sees it: hash to row, and the memory-mapped vectors."""

import mmap
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix
from headwater.stores.vectors.checksum import vector_checksums
from headwater.stores.vectors.folder import read_from
from headwater.stores.vectors.row_log import RECORD, LogEntry, decode
from headwater.stores.vectors.seal import Seal, Stamp, stamp

HASH = 16

Numbers = npt.NDArray[np.int64]


class Rows:
    """Follows the files: `refresh` takes in what the writer has appended since, and checks whatever else changed.

    A row that isn't what was written is treated as absent. `lost` says that some are, or that records are missing.
    """

    def __init__(self, matrix: Path, log: Path, dimensions: int, salt: str, seal: Seal | None) -> None:
        self._matrix_path, self._log_path, self._dimensions, self._salt = matrix, log, dimensions, salt
        self.lost, self.records = False, 0
        self._forget()
        self.refresh(seal)
        gone = self.records > 0 if seal is None else self.records < seal.records
        self.lost = self.lost or gone

    def _forget(self) -> None:
        self.of_hash: dict[bytes, int] = {}
        self.altered: set[bytes] = set()  # hashes of damaged rows
        self.lost = False
        self.log_bytes = self.records = self.total = 0  # total: rows of the matrix, deleted ones included
        self._seen = (Stamp(), Stamp())
        self._checked = 0  # rows
        self._hashes = bytearray()
        self._alive, self._checks = np.zeros(0, dtype=bool), np.zeros(0, dtype=np.uint64)
        self._mapped: Int8Matrix = np.empty((0, self._dimensions), dtype=np.int8)

    @property
    def matrix(self) -> Int8Matrix:
        """The rows that are there, read-only; `total` of them unless the file is too short."""
        return self._mapped[: self.total]

    @property
    def alive(self) -> npt.NDArray[np.bool_]:
        """Of the rows of `matrix`."""
        return self._alive[: len(self.matrix)]

    def hash_of(self, row: int) -> str:
        return self._hashes[row * HASH : (row + 1) * HASH].hex()

    def check_of(self, row: int) -> int:
        return int(self._checks[row])

    def refresh(self, seal: Seal | None = None) -> None:
        """Cheap when nothing has changed. What `seal` covers is not looked through."""
        now = stamp(self._log_path), stamp(self._matrix_path)
        if now == self._seen:
            return
        if not all(n.is_grown_from(s) for n, s in zip(now, self._seen, strict=True)):
            before = self.records
            self._forget()
            self._take_in(now)
            self.lost = self.lost or self.records < before
        else:
            self._take_in(now)
        if seal is None or not seal.covers(*now):
            self.drop(self.unsound(np.arange(self._checked, self.total)))
        self._checked, self._seen = self.total, now

    def appended(self, entries: list[LogEntry]) -> None:
        """Take in entries that this process has just written."""
        self._apply(entries)
        self.log_bytes += RECORD * len(entries)
        self._checked, self._seen = self.total, (stamp(self._log_path), stamp(self._matrix_path))
        self._map(self._seen[1])

    def unsound(self, rows: Numbers) -> Numbers:
        """Those of these rows that are alive and not what was written."""
        rows = rows[self._alive[rows]]
        there = rows[rows < len(self.matrix)]
        keys = np.frombuffer(self._hashes, dtype=f"V{HASH}")[there].tobytes()
        found = vector_checksums(keys, self.matrix[there], self._salt)
        return np.concatenate([rows[rows >= len(self.matrix)], there[found != self._checks[there]]])

    def drop(self, rows: Numbers) -> None:
        """They are damaged."""
        for row in rows.tolist():
            self._alive[row] = False
            if self.of_hash.get(key := bytes.fromhex(self.hash_of(row))) == row:
                del self.of_hash[key]
                self.altered.add(key)
            self.lost = True

    def _take_in(self, now: tuple[Stamp, Stamp]) -> None:
        raw = read_from(self._log_path, self.log_bytes)
        entries, damaged = decode(raw, self._salt)
        self._apply(entries)
        self.log_bytes += len(raw) // RECORD * RECORD
        self.lost = self.lost or damaged > 0
        self._map(now[1])

    def _apply(self, entries: Iterable[LogEntry]) -> None:
        for entry in entries:
            former = self.of_hash.pop(entry.hash, -1)
            if former >= 0:
                self._alive[former] = False
            if entry.added:
                self._reserve(entry.row + 1)
                self._hashes[entry.row * HASH : (entry.row + 1) * HASH] = entry.hash
                self._alive[entry.row], self._checks[entry.row] = True, entry.check
                self.of_hash[entry.hash] = entry.row
            self.records += 1

    def _reserve(self, total: int) -> None:
        if total > len(self._alive):
            room = max(total, 2 * len(self._alive))
            alive, checks = self._alive, self._checks
            self._alive, self._checks = np.zeros(room, dtype=bool), np.zeros(room, dtype=np.uint64)
            self._alive[: len(alive)], self._checks[: len(checks)] = alive, checks
        self._hashes.extend(bytes(max(0, total * HASH - len(self._hashes))))
        self.total = max(self.total, total)

    def _map(self, matrix: Stamp) -> None:
        """The whole file is mapped; again only after it has changed its size, since what is cut off can't be read."""
        held = min(matrix.size // self._dimensions, self.total)
        if held == len(self._mapped):
            return
        if not held:
            self._mapped = self._mapped[:0]
            return
        with self._matrix_path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), held * self._dimensions, prot=mmap.PROT_READ)
        self._mapped = np.frombuffer(mapped, dtype=np.int8).reshape(held, self._dimensions)
