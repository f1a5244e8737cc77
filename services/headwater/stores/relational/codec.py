"""How values become bytes in rows: msgpack under zstd, and ids as raw bytes."""

import threading
from typing import Any, Generic, TypeVar

import msgspec
import zstandard

from headwater.domain.document import Chunk, Document, Reference, Status, Symbol

T = TypeVar("T")

PENDING, INDEXED, SKIPPED, PARKED = 0, 1, 2, 3
STATUS_CODES = {Status.INDEXED: INDEXED, Status.SKIPPED: SKIPPED, Status.PARKED: PARKED}
STATUS_NAMES = {PENDING: "pending", **{code: status.value for status, code in STATUS_CODES.items()}}

_LEVEL = 3


class _Compression(threading.local):
    """zstandard's contexts are fast to reuse and not to be shared by threads."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=False)
        self.decompressor = zstandard.ZstdDecompressor()


_compression = _Compression()


def compress(raw: bytes) -> bytes:
    return _compression.compressor.compress(raw)


def decompress(body: bytes) -> bytes:
    return _compression.decompressor.decompress(body)


class Packed(Generic[T]):
    """A msgspec type as compressed msgpack."""

    def __init__(self, kind: Any) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)

    def pack(self, value: T) -> bytes:
        return compress(self._encoder.encode(value))

    def unpack(self, body: bytes) -> T:
        return self._decoder.decode(decompress(body))


HEAD: Packed[Document] = Packed(Document)  # without symbols and chunks
SYMBOLS: Packed[tuple[Symbol, ...]] = Packed(tuple[Symbol, ...])
CHUNKS: Packed[tuple[Chunk, ...]] = Packed(tuple[Chunk, ...])
USAGES: Packed[dict[str, tuple[Reference, ...]]] = Packed(dict[str, tuple[Reference, ...]])


def whole(head: Document, symbols: tuple[Symbol, ...], chunks: tuple[Chunk, ...]) -> Document:
    """A document from its separately stored parts."""
    facts = msgspec.structs.replace(head.facts, symbols=symbols)
    return msgspec.structs.replace(head, facts=facts, chunks=chunks)
