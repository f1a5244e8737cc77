"""The embedding model port: chunks and queries to unit vectors, quantised to int8."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.domain.version import PipelineVersion

Int8Matrix = npt.NDArray[np.int8]


class ChunkText(msgspec.Struct, frozen=True, gc=False):
    """A chunk's fields apart; a model that takes plain text joins them as `domain.chunk_text` does."""

    path: str
    scopes: tuple[str, ...]
    doc: str
    imports: tuple[str, ...]
    text: str


class EmbeddingModel(Protocol):
    """Implementations: StaticModel (in process, CPU) and TritonModel."""

    @property
    def version(self) -> PipelineVersion: ...

    def embed_chunks(self, chunks: Sequence[ChunkText]) -> Int8Matrix:
        """Shape (n, dimensions): round(127 × unit vector). Raises ModelUnavailableError."""
        ...

    def embed_query(self, query: str) -> Int8Matrix:
        """Shape (dimensions,), all zero when nothing of the query is known. Raises ModelUnavailableError."""
        ...


class ModelUnavailableError(Exception):
    """The model can't answer now (server down, deadline passed, breaker open)."""
