"""One generation of the matrix as a process sees it: hash to row, and the memory-mapped vectors."""

import mmap
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix
from headwater.stores.vectors.folder import read_from
from headwater.stores.vectors.row_log import RECORD, LogEntry, decode

HASH = 16


class Rows:
    """Follows the log: `refresh` takes in what the writer has appended since."""

    def __init__(self, matrix: Path, log: Path, dimensions: int) -> None:
        self._matrix_path, self._log_path, self._dimensions = matrix, log, dimensions
        self.of_hash: dict[bytes, int] = {}
        self.log_bytes = 0
        self._hashes = bytearray()
        self._alive = np.zeros(0, dtype=bool)
        self._mapped: Int8Matrix = np.empty((0, dimensions), dtype=np.int8)
        self.refresh()

    @property
    def total(self) -> int:
        """Rows of the matrix, deleted ones included."""
        return len(self._hashes) // HASH

    @property
    def matrix(self) -> Int8Matrix:
        """Shape (total, dimensions), read-only."""
        if len(self._mapped) < self.total:
            self._mapped = _map(self._matrix_path, self.total, self._dimensions)
        return self._mapped[: self.total]

    @property
    def alive(self) -> npt.NDArray[np.bool_]:
        return self._alive[: self.total]

    def hash_of(self, row: int) -> str:
        return self._hashes[row * HASH : (row + 1) * HASH].hex()

    def refresh(self) -> None:
        """Cheap when nothing was appended."""
        try:
            size = self._log_path.stat().st_size
        except FileNotFoundError:
            return
        if size >= self.log_bytes + RECORD:
            self.apply(decode(read_from(self._log_path, self.log_bytes)))

    def apply(self, entries: list[LogEntry]) -> None:
        """Take in entries that are in the log now."""
        self._reserve(self.total + len(entries))
        for entry in entries:
            if entry.added:
                row = self.total
                self._hashes += entry.hash
                self.of_hash[entry.hash] = row
                self._alive[row] = True
            else:
                row = self.of_hash.pop(entry.hash, -1)
                if row >= 0:
                    self._alive[row] = False
        self.log_bytes += RECORD * len(entries)

    def _reserve(self, rows: int) -> None:
        if rows > len(self._alive):
            grown = np.zeros(max(rows, 2 * len(self._alive)), dtype=bool)
            grown[: len(self._alive)] = self._alive
            self._alive = grown


def _map(path: Path, rows: int, dimensions: int) -> Int8Matrix:
    """The whole file is mapped, so that it is mapped again only after it has grown."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    held = len(mapped) // dimensions
    if held < rows:
        raise OSError(f"{path} holds {held} vectors, its log names {rows}: delete the folder and index again")
    return np.frombuffer(mapped, dtype=np.int8, count=held * dimensions).reshape(held, dimensions)
