"""Pure decisions of the embedder: which chunks of a batch need the model."""

from collections.abc import Collection, Sequence

from headwater.events import ChunkChanged


def first_of_each(batch: Sequence[ChunkChanged], embedded: Collection[str]) -> list[ChunkChanged]:
    """The first event of each content hash that isn't embedded yet, in order."""
    new = {e.content_hash: e for e in reversed(batch) if e.content_hash not in embedded}
    return [e for e in batch if new.get(e.content_hash) is e]
