"""Engines with a part taken away, to see what each part is worth."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np

from headwater.clients.embedding_model import ChunkText
from headwater.clients.static_model import StaticModel
from headwater.query.engine import Parts
from headwater.query.retrieval import VectorSide
from headwater.query.shaping import Shaping
from headwater.stores.index_reader import ChunkRow, IndexReader, Scope
from headwater.stores.mmap_vectors import MmapVectorStore

Vary = Callable[[Parts], Parts]
_BATCH = 4096


class _WithoutLexical:
    """A reader that knows everything but BM25."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def lexical(self, _scope: Scope, _terms: Sequence[str], _limit: int) -> list[ChunkRow]:
        return []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


def as_served(parts: Parts) -> Parts:
    return parts


def without_expansion(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, shaping=Shaping(expand=False))


def variants(folder: Path) -> Mapping[str, Vary]:
    """By name; `folder` takes the vectors that one of them needs made anew.

    Only from "questions mapped" on the map is used, which is fitted on golden questions.
    """
    return {
        "BM25 alone": _lexical_alone,
        "vectors alone": _vectors_alone,
        "fused, no header": partial(_without_header, folder),
        "fused": lambda parts: _fused(_unmapped(parts)),
        "fused, questions mapped": _fused,
        "reranked, not collapsed": lambda parts: msgspec.structs.replace(parts, shaping=Shaping(collapse=False)),
        "as served": as_served,
        "generated not demoted": lambda parts: msgspec.structs.replace(parts, shaping=Shaping(demote=False)),
        "context not expanded": without_expansion,
    }


def _lexical_alone(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, vectors=None, reranker=None)


def _vectors_alone(parts: Parts) -> Parts:
    reader = cast(IndexReader, _WithoutLexical(parts.reader))
    return _fused(msgspec.structs.replace(_unmapped(parts), reader=reader))


def _unmapped(parts: Parts) -> Parts:
    """Question vectors as plain sums."""
    assert parts.vectors is not None
    model, store = parts.vectors.model, parts.vectors.store
    plain = StaticModel(question_map=np.eye(model.version.dimensions, dtype=np.float32))
    return msgspec.structs.replace(parts, vectors=VectorSide(plain, store))


def _fused(parts: Parts) -> Parts:
    return msgspec.structs.replace(parts, reranker=None)


def _without_header(folder: Path, parts: Parts) -> Parts:
    """Vectors of the code alone: without path, scopes, documentation and imports."""
    plain = _unmapped(parts)
    assert plain.vectors is not None
    model = plain.vectors.model
    store = MmapVectorStore(folder, model.version)
    texts = dict(_bodies(parts.reader))
    hashes = list(texts)
    for start in range(0, len(hashes), _BATCH):
        batch = hashes[start : start + _BATCH]
        store.upsert(batch, model.embed_chunks([ChunkText("", (), "", (), texts[h]) for h in batch]))
    return _fused(msgspec.structs.replace(plain, vectors=VectorSide(model, store)))


def _bodies(reader: IndexReader) -> Iterator[tuple[str, str]]:
    """Content hash and code of every chunk of every view."""
    with reader.pin([state.view for state in reader.views()]) as scope:
        for row in reader.documents_containing(scope, ()):
            text = reader.text(row.document_id).encode("utf-8", "replace")
            for chunk in reader.document(row.document_id).chunks:
                at = chunk.span
                yield chunk.content_hash, text[at.start_byte : at.end_byte].decode("utf-8", "replace")
