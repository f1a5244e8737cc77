"""A chunk's vector."""

import msgspec

from headwater.events.lane import Lane


class ChunkEmbedded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by embedder, keyed by `content_hash`."""

    repo: str
    ref: str
    generation: int
    content_hash: str  # 32 hex
    model: str
    vector: bytes  # int8, one per dimension; of unit length before quantisation, so one scale serves all
    pushed_at: float
    lane: Lane = Lane.LIVE
