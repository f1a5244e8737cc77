"""The BM25 index without a database: weighted terms of a chunk, packed posting blocks, and scoring in numpy."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from headwater.domain.document import Chunk
from headwater.domain.subtoken import subtokens

NAME_WEIGHT, HEADER_WEIGHT, BODY_WEIGHT = 4, 2, 1
BLOCK_POSTINGS = 180  # 900 bytes: a block stays within its B-tree page
_K1, _B = 1.2, 0.6
_POSTING = 5  # uint32 content id, uint8 weighted frequency
_MAX_FREQUENCY = 255

Ids = npt.NDArray[np.uint32]
Weights = npt.NDArray[np.float64]


def chunk_terms(path: str, chunk: Chunk, body: str) -> dict[str, int]:
    """Weighted frequency of each sub-token of a chunk's name, header (path, scopes, documentation) and body."""
    counts = Counter(subtokens(body))
    header = subtokens(" ".join((path, *chunk.scopes, chunk.doc)))
    for term in header:
        counts[term] += HEADER_WEIGHT
    if chunk.scopes:
        for term in subtokens(chunk.scopes[-1]):
            counts[term] += NAME_WEIGHT - HEADER_WEIGHT
    return counts


def pack(postings: Sequence[tuple[int, int]]) -> bytes:
    """(content id, weighted frequency) pairs as all ids, then all frequencies."""
    ids = np.fromiter((i for i, _ in postings), dtype="<u4", count=len(postings))
    return ids.tobytes() + bytes(min(f, _MAX_FREQUENCY) for _, f in postings)


def append(block: bytes, more: bytes) -> bytes:
    """Two blocks as one."""
    n, m = len(block) // _POSTING, len(more) // _POSTING
    return block[: 4 * n] + more[: 4 * m] + block[4 * n :] + more[4 * m :]


def split(block: bytes, at: int) -> tuple[bytes, bytes]:
    """The first `at` postings, and the rest."""
    n = size(block)
    at = min(at, n)
    return (
        block[: 4 * at] + block[4 * n : 4 * n + at],
        block[4 * at : 4 * n] + block[4 * n + at :],
    )


def first_id(block: bytes) -> int:
    return int.from_bytes(block[:4], "little")


def size(block: bytes) -> int:
    """How many postings a block holds."""
    return len(block) // _POSTING


def unpack(blocks: Iterable[bytes]) -> tuple[Ids, npt.NDArray[np.uint8]]:
    """All ids and frequencies of several blocks."""
    ids, frequencies = [], []
    for block in blocks:
        n = len(block) // _POSTING
        ids.append(block[: 4 * n])
        frequencies.append(block[4 * n :])
    return np.frombuffer(b"".join(ids), dtype="<u4"), np.frombuffer(b"".join(frequencies), dtype=np.uint8)


def retain(block: bytes, alive: npt.NDArray[np.bool_]) -> bytes:
    """The block without ids that are not alive (`alive` is indexed by content id)."""
    ids, frequencies = unpack([block])
    keep = alive[ids]
    return block if keep.all() else ids[keep].tobytes() + frequencies[keep].tobytes()


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
