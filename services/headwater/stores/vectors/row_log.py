"""The log that says which row of the matrix holds which hash: fixed records, each with a checksum of its own."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.stores.vectors.checksum import Words, checksums

_FIELDS = np.dtype(
    [("added", "<u4"), ("row", "<u4"), ("hash", "V16"), ("vector_check", "<u8"), ("record_check", "<u8")]
)
RECORD = _FIELDS.itemsize
_ADDED, _DELETED = 0x41, 0x44


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An added entry says where its vector is, and the vector's checksum; a deleted one frees its hash's row."""

    hash: bytes
    added: bool
    row: int = 0
    check: int = 0


def encode(entries: Sequence[LogEntry], salt: str) -> bytes:
    records = np.zeros(len(entries), dtype=_FIELDS)
    records["added"] = [_ADDED if e.added else _DELETED for e in entries]
    records["row"] = [e.row for e in entries]
    records["hash"] = np.frombuffer(b"".join(e.hash for e in entries), dtype="V16")
    records["vector_check"] = np.array([e.check for e in entries], dtype=np.uint64)
    records["record_check"] = _checks(records, salt)
    return records.tobytes()


def decode(raw: bytes, salt: str) -> tuple[Iterator[LogEntry], int]:
    """The whole and sound entries in order, and how many whole records are damaged: these are passed over."""
    records = np.frombuffer(raw, dtype=_FIELDS, count=len(raw) // RECORD)
    sound = records["record_check"] == _checks(records, salt)
    kept = records[sound]
    return _entries(kept), len(records) - len(kept)


def _entries(records: npt.NDArray[np.void]) -> Iterator[LogEntry]:
    added, rows, checks = (records[f].tolist() for f in ("added", "row", "vector_check"))
    for operation, row, key, check in zip(added, rows, records["hash"].tolist(), checks, strict=True):
        yield LogEntry(key, operation == _ADDED, row, check)


def _checks(records: npt.NDArray[np.void], salt: str) -> Words:
    words = np.ascontiguousarray(records).view("<u8").reshape(-1, RECORD // 8)[:, :-1]
    return checksums(words.astype(np.uint64, copy=False), salt)
