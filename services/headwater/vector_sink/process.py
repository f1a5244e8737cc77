"""Pure decisions of the vector sink: the rows to write."""

from collections.abc import Sequence

import numpy as np

from headwater.clients.embedding_model import Int8Matrix
from headwater.events import ChunkEmbedded
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
