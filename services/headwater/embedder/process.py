"""Pure decisions of the embedder: which chunks of a batch need the model."""

from collections.abc import Collection, Sequence

from headwater.clients.embedding_model import ChunkText
from headwater.events import ChunkChanged


def first_of_each(batch: Sequence[ChunkChanged], embedded: Collection[str]) -> list[ChunkChanged]:
    """The first event of each content hash that isn't embedded yet, in order."""
    new = {e.content_hash: e for e in reversed(batch) if e.content_hash not in embedded}
    return [e for e in batch if new.get(e.content_hash) is e]


def chunk_text(event: ChunkChanged) -> ChunkText:
    """The model's input."""
    return ChunkText(event.path, event.scopes, event.doc, event.imports, event.text)
