"""Chunk texts that travel by reference: each blob is read from git once while its chunks pass."""

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from headwater.clients.embedding_model import ChunkText
from headwater.domain.doc_ranges import doc_at
from headwater.domain.source_text import source_text
from headwater.domain.tree import TreeUnreadableError
from headwater.events import ChunkChanged

KEPT_BYTES = 32 << 20
_Key = tuple[str, str, str]  # repository, blob, path


class BlobReader(Protocol):
    """Where blobs are read."""

    def read_blobs(self, repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        """Those that the repository has. Raises TreeUnreadableError when none can be read now."""
        ...


class NoBlobs:
    """Where events hold their texts: a `BlobReader` of nothing."""

    def read_blobs(self, repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        raise TreeUnreadableError(f"this embedder is given no repositories, and chunks of '{repo}' come by reference")


class ReferredTexts:
    """Holds texts in memory only, at most `kept_bytes` of them between two batches."""

    def __init__(self, blobs: BlobReader, kept_bytes: int = KEPT_BYTES) -> None:
        self._blobs, self._kept_bytes = blobs, kept_bytes
        self._kept: OrderedDict[_Key, bytes] = OrderedDict()

    def texts(self, events: Sequence[ChunkChanged]) -> list[ChunkText | None]:
        """The model's input for each; None for a blob that its repository no longer has. Raises TreeUnreadableError."""
        self._read([event for event in events if event.blob and _key(event) not in self._kept])
        found = [_chunk_text(event, self._kept.get(_key(event))) for event in events]
        self._forget()
        return found

    def _read(self, events: Sequence[ChunkChanged]) -> None:
        wanted: dict[str, dict[_Key, ChunkChanged]] = {}
        for event in events:
            wanted.setdefault(event.repo, {})[_key(event)] = event
        for repo, absent in wanted.items():
            contents = self._blobs.read_blobs(repo, {event.blob for event in absent.values()})
            for key, event in absent.items():
                if event.blob in contents:
                    self._kept[key] = source_text(event.path, contents[event.blob])

    def _forget(self) -> None:
        held = sum(map(len, self._kept.values()))
        while held > self._kept_bytes:
            held -= len(self._kept.popitem(last=False)[1])


def _key(event: ChunkChanged) -> _Key:
    return event.repo, event.blob, event.path


def _chunk_text(event: ChunkChanged, text: bytes | None) -> ChunkText | None:
    if not event.blob:
        return ChunkText(event.path, event.scopes, event.doc, event.imports, event.text)
    if text is None:
        return None
    start, end = event.span
    body = text[start:end].decode("utf-8", "replace")
    return ChunkText(event.path, event.scopes, doc_at(event.doc_at, text), event.imports, body)
