"""Checksums of many rows at once: 64 bits each, bound to what the row belongs to."""

import hashlib
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from headwater.clients.embedding_model import Int8Matrix

Words = npt.NDArray[np.uint64]
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF, _FINAL = np.uint64(32), np.uint64(29)
_AT_ONCE = 8_192  # rows; what is between stays in the processor's cache


def checksums(words: Words, salt: str) -> Words:
    """One of each row of `words`, shape (n, k). They tell damage, not forgery: whoever knows `salt` can make them."""
    weights, seed = _weights(salt, words.shape[1])
    found = np.empty(len(words), dtype=np.uint64)
    for start in range(0, len(words), _AT_ONCE):
        mixed = words[start : start + _AT_ONCE] * _SPREAD
        mixed ^= mixed >> _HALF
        total = mixed @ weights + seed
        found[start : start + _AT_ONCE] = (total ^ (total >> _FINAL)) * _SPREAD
    return found


def vector_checksums(keys: bytes, vectors: Int8Matrix, salt: str) -> Words:
    """Of each vector with the 16 bytes of its content hash in `keys`: another's vector doesn't match either."""
    hashes = np.frombuffer(keys, dtype="<u8").reshape(-1, 2)
    padded = np.pad(vectors, ((0, 0), (0, -vectors.shape[1] % 8)))
    whole = np.ascontiguousarray(padded).view("<u8")
    return checksums(np.concatenate([hashes, whole], axis=1).astype(np.uint64, copy=False), salt)


@lru_cache(8)
def _weights(salt: str, count: int) -> tuple[Words, np.uint64]:
    """Odd ones, so that a change of a single word never goes unseen; and what a row of zeros starts from."""
    drawn = np.frombuffer(hashlib.shake_128(salt.encode()).digest(8 * (count + 1)), dtype="<u8").astype(np.uint64)
    return drawn[:-1] | np.uint64(1), drawn[-1]
