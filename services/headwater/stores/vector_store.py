"""The vector store port: int8 vectors by content hash, per model."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from headwater.clients.embedding_model import Int8Matrix


class Loss(StrEnum):
    """What became of a vector behind the store's back."""

    ABSENT = "absent"
    ALTERED = "altered"  # another vector than was written, or that of another content
    DUPLICATED = "duplicated"


class VectorHit(msgspec.Struct, frozen=True, gc=False):
    """`score` is the cosine, 1 for equal direction."""

    content_hash: str
    score: float


class VectorStore(Protocol):
    """One collection a model. Visibility is the catalog's business: a hit here may be stale or forbidden."""

    def upsert(self, hashes: Sequence[str], vectors: Int8Matrix) -> None:
        """Durable when it returns; writing a hash again changes nothing. Raises VectorsUnavailableError."""
        ...

    def delete(self, hashes: Sequence[str]) -> None: ...

    def present(self, hashes: Sequence[str]) -> set[str]:
        """Those of `hashes` that the store holds."""
        ...

    def lost(self, hashes: Sequence[str]) -> dict[str, Loss]:
        """Those of `hashes` whose vector isn't there as it was written: read and checked, each one."""
        ...

    def intact(self) -> bool:
        """False while rows are known to have been lost or altered, and not to have been made again. Cheap."""
        ...

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        """The nearest in descending score, ties by hash. Raises VectorsUnavailableError."""
        ...

    def search_within(self, query: Int8Matrix, hashes: Sequence[str], limit: int) -> list[VectorHit]:
        """Exact search among `hashes` only, for filters that admit few rows."""
        ...

    def hashes(self) -> Iterator[str]:
        """Every hash held, in no order, for reconciliation."""
        ...

    def count(self) -> int: ...


class VectorsUnavailableError(Exception):
    """The vector store can't answer now; the caller degrades or retries."""
