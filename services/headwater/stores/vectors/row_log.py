"""The log that says which hash each row of the matrix holds: fixed records, so that a torn tail shows."""

import zlib
from collections.abc import Iterable

import msgspec

RECORD = 24  # operation, three spare bytes, CRC-32 of operation and hash, the 16 bytes of the hash
_ADD, _DELETE = b"A", b"D"


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An added entry takes the next row of the matrix; a deleted one frees its hash's row."""

    hash: bytes
    added: bool


def encode(entries: Iterable[LogEntry]) -> bytes:
    return b"".join(_record(_ADD if e.added else _DELETE, e.hash) for e in entries)


def decode(raw: bytes) -> list[LogEntry]:
    """The entries up to the first record that is incomplete or damaged."""
    found: list[LogEntry] = []
    for start in range(0, len(raw) - RECORD + 1, RECORD):
        record = raw[start : start + RECORD]
        operation, key = record[:1], record[8:]
        if operation not in (_ADD, _DELETE) or record != _record(operation, key):
            break
        found.append(LogEntry(key, operation == _ADD))
    return found


def _record(operation: bytes, key: bytes) -> bytes:
    return operation + b"\0\0\0" + zlib.crc32(operation + key).to_bytes(4, "little") + key
