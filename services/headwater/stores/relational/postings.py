"""The BM25 index without a database: packed posting blocks, and scoring in numpy."""

import struct
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from headwater.stores.catalog import CatalogCorruptError

BLOCK_POSTINGS = 180  # 900 bytes: a block stays within its B-tree page
_K1, _B = 1.2, 0.6
RECORD = np.dtype([("id", "<u4"), ("frequency", "u1")])  # content id, weighted frequency
_PACK = struct.Struct("<IB").pack
MAX_FREQUENCY = 255

Ids = npt.NDArray[np.uint32]
Weights = npt.NDArray[np.float64]


def pack(postings: Sequence[tuple[int, int]]) -> bytes:
    """(content id, weighted frequency) pairs as records; blocks concatenate and split at record bounds."""
    return b"".join(_PACK(i, min(f, MAX_FREQUENCY)) for i, f in postings)


def split(block: bytes, at: int) -> tuple[bytes, bytes]:
    """The first `at` postings, and the rest."""
    return block[: at * RECORD.itemsize], block[at * RECORD.itemsize :]


def size(block: bytes) -> int:
    """How many postings a block holds."""
    return len(block) // RECORD.itemsize


def unpack(blocks: Iterable[bytes]) -> tuple[Ids, npt.NDArray[np.uint8]]:
    """All ids and frequencies of several blocks. Raises CatalogCorruptError."""
    joined = b"".join(blocks)
    if len(joined) % RECORD.itemsize:
        raise CatalogCorruptError("the index of words is damaged: run 'headwater verify'")
    records = np.frombuffer(joined, dtype=RECORD)
    return records["id"].astype(np.uint32), records["frequency"].astype(np.uint8)


def retain(block: bytes, alive: npt.NDArray[np.bool_], record: np.dtype[np.void] = RECORD) -> bytes:
    """The block without ids that are not alive (`alive` is indexed by id); any record with a field `id` will do."""
    records = np.frombuffer(block, dtype=record)
    ids = records["id"]
    keep = ids < len(alive)
    keep[keep] = alive[ids[keep]]
    return block if keep.all() else records[keep].tobytes()


class Bm25:
    """Scores contents among those visible: `lengths` by content id, 0 where the content is not visible."""

    def __init__(self, lengths: Weights) -> None:
        self._lengths = lengths
        self._scores = np.zeros(len(lengths))
        self._visible = max(1, int(np.count_nonzero(lengths)))
        average = float(lengths.sum()) / self._visible or 1.0
        self._average = average

    def add(self, blocks: Iterable[bytes], times: int) -> None:
        """One term of the query, which holds it `times` times."""
        ids, frequencies = unpack(blocks)
        inside = ids < len(self._lengths)
        ids, frequencies = ids[inside], frequencies[inside]
        lengths = self._lengths[ids]
        visible = lengths > 0
        ids, lengths = ids[visible], lengths[visible]
        tf = frequencies[visible].astype(np.float64)
        df = len(ids)
        idf = np.log1p((self._visible - df + 0.5) / (df + 0.5))
        norm = _K1 * (1 - _B + _B * lengths / self._average)
        self._scores[ids] += times * idf * tf * (_K1 + 1) / (tf + norm)

    def best(self, limit: int) -> list[tuple[int, float]]:
        """(content id, score) of the best `limit` and of those that tie with the last, in no order."""
        found = np.flatnonzero(self._scores)
        if len(found) > limit:
            scores = self._scores[found]
            threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            found = found[scores >= threshold]
        return [(int(i), float(self._scores[i])) for i in found]
