"""Engines with a part taken away, to see what each part is worth."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from headwater.query.engine import Parts
from headwater.stores.index_reader import ChunkRow, IndexReader, Scope

Vary = Callable[[Parts], Parts]


class _WithoutLexical:
    """A reader that knows everything but BM25."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def lexical(self, _scope: Scope, _terms: Sequence[str], _limit: int) -> list[ChunkRow]:
        return []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


def _lexical_alone(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, vectors=None, reranker=None)


def _vectors_alone(parts: Parts) -> Parts:
    reader = cast(IndexReader, _WithoutLexical(parts.reader))
    return msgspec.structs.replace(parts, reader=reader, reranker=None)


def _fused(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, reranker=None)


def _as_it_is(parts: Parts) -> Parts:
    return parts


VARIANTS: Mapping[str, Vary] = {
    "BM25 alone": _lexical_alone,
    "vectors alone": _vectors_alone,
    "fused": _fused,
    "as served": _as_it_is,
}
