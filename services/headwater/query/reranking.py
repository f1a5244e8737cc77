"""The port of a second look at the best candidates; which slices use one is the gate's decision."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A fused result with what each retriever said of it; ranks count from 1, 0 when it was not found there."""

    path: str
    kind: str
    scopes: tuple[str, ...]
    doc: str
    text: str
    tokens: int
    fused: float
    lexical_score: float
    lexical_rank: int
    vector_score: float
    vector_rank: int


class Reranker(Protocol):
    """Implementations live in clients."""

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        """A score for each candidate, higher is better. Raises ModelUnavailableError."""
        ...
