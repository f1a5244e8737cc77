"""How values become bytes in rows: msgpack under zstd, and ids as raw bytes."""

import struct
import threading
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec
import zstandard

from headwater.domain.document import Chunk, Document, Reference, Status, Symbol
from headwater.stores.catalog import CatalogCorruptError

T = TypeVar("T")

PENDING, INDEXED, SKIPPED, PARKED = 0, 1, 2, 3
STATUS_CODES = {Status.INDEXED: INDEXED, Status.SKIPPED: SKIPPED, Status.PARKED: PARKED}
STATUS_NAMES = {PENDING: "pending", **{code: status.value for status, code in STATUS_CODES.items()}}

_LEVEL = 6
_MARK = 0xDE  # no frame of zstd begins with it
_DELTA = struct.Struct("<Bq")
_DAMAGED = "a stored document is damaged ({}): run 'headwater verify'"


class _Compression(threading.local):
    """zstandard's contexts are fast to reuse and not to be shared by threads."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_compression = _Compression()


def compress(raw: bytes) -> bytes:
    return _compression.compressor.compress(raw)


def compress_against(raw: bytes, former: int, former_raw: bytes) -> bytes:
    """Only what differs from another row's bytes, which `decompress` needs again; `former` is that row's id."""
    dictionary = zstandard.ZstdCompressionDict(former_raw, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=dictionary, write_checksum=True)
    return _DELTA.pack(_MARK, former) + compressor.compress(raw)


def base_of(body: bytes) -> int | None:
    """The id of the row that this one is stored against; None for one that is stored whole."""
    return int(_DELTA.unpack_from(body)[1]) if body[0] == _MARK else None


def decompress(body: bytes, former_raw: bytes | None = None) -> bytes:
    """Raises CatalogCorruptError."""
    try:
        if body[0] != _MARK:
            return _compression.decompressor.decompress(body)
        dictionary = zstandard.ZstdCompressionDict(former_raw or b"", dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        return zstandard.ZstdDecompressor(dict_data=dictionary).decompress(body[_DELTA.size :])
    except (zstandard.ZstdError, IndexError) as error:
        raise CatalogCorruptError(_DAMAGED.format(error)) from error


class Packed(Generic[T]):
    """A msgspec type as compressed msgpack."""

    def __init__(self, kind: Any) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)

    def pack(self, value: T) -> bytes:
        return compress(self._encoder.encode(value))

    def decode(self, raw: bytes) -> T:
        """Of what `decompress` gave. Raises CatalogCorruptError."""
        try:
            return self._decoder.decode(raw)
        except msgspec.DecodeError as error:
            raise CatalogCorruptError(_DAMAGED.format(error)) from error


class UsageBlock(msgspec.Struct, frozen=True, array_like=True):
    """Occurrences by name, a part of a document's: references, and imports as the references that they are."""

    references: dict[str, tuple[Reference, ...]]
    imports: dict[str, tuple[Reference, ...]]

    def of(self, name: str) -> tuple[Reference, ...]:
        """In order of position."""
        found = self.references.get(name, ()) + self.imports.get(name, ())
        return found if name not in self.imports else tuple(sorted(found, key=_position))


HEAD: Packed[Document] = Packed(Document)  # without symbols, chunks and the references of the usage blocks
SYMBOLS: Packed[tuple[Symbol, ...]] = Packed(tuple[Symbol, ...])
CHUNKS: Packed[tuple[Chunk, ...]] = Packed(tuple[Chunk, ...])
USAGES: Packed[UsageBlock] = Packed(UsageBlock)


def merged(local: Iterable[Reference], blocks: Iterable[UsageBlock]) -> tuple[Reference, ...]:
    """All references of a file in order of position."""
    found = [*local, *(r for block in blocks for part in block.references.values() for r in part)]
    return tuple(sorted(found, key=_position))


def _position(reference: Reference) -> int:
    return reference.at.byte
