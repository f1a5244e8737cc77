"""Pure decisions of the vector sink: the rows to write and the acknowledgements that follow."""

from collections.abc import Iterable, Sequence

import numpy as np

from headwater.clients.embedding_model import Int8Matrix
from headwater.events import ChunkEmbedded, IndexApplied
from headwater.events.index_applied import Index
from headwater.streaming.errors import InvalidEventError


def rows(batch: Sequence[ChunkEmbedded], model: str, dimensions: int) -> tuple[list[str], Int8Matrix]:
    """Content hashes and their vectors, shape (n, dimensions). Raises InvalidEventError for a foreign vector."""
    fresh = {e.content_hash: e for e in batch if e.vector}
    for event in fresh.values():
        if event.model != model or len(event.vector) != dimensions:
            raise InvalidEventError(
                f"vector of {event.content_hash} is {event.model} × {len(event.vector)}, not {model} × {dimensions}"
            )
    data = b"".join(e.vector for e in fresh.values())
    return list(fresh), np.frombuffer(data, np.int8).reshape(-1, dimensions)


def acknowledgements(batch: Sequence[ChunkEmbedded]) -> Iterable[IndexApplied]:
    """One for each view generation of the batch."""
    views: dict[tuple[str, str, int], list[ChunkEmbedded]] = {}
    for event in batch:
        views.setdefault((event.repo, event.ref, event.generation), []).append(event)
    for (repo, ref, generation), events in views.items():
        yield IndexApplied(
            index=Index.VECTOR,
            repo=repo,
            ref=ref,
            generation=generation,
            items=tuple(e.content_hash for e in events),
            pushed_at=min(e.pushed_at for e in events),
            lane=events[0].lane,
        )
