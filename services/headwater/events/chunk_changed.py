"""A chunk that the file's former content did not have, to be embedded."""

import msgspec

from headwater.events.lane import Lane


class ChunkChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by ast-chunker, keyed by `content_hash`. The fields are what a model embeds, apart."""

    repo: str
    ref: str
    generation: int
    content_hash: str  # 32 hex
    path: str
    scopes: tuple[str, ...] = ()
    doc: str = ""
    imports: tuple[str, ...] = ()
    text: str
    pushed_at: float
    lane: Lane = Lane.LIVE
