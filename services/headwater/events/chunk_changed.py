"""A chunk that the file's former content did not have, to be embedded."""

import msgspec

from headwater.events.lane import Lane


class ChunkChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by ast-chunker, keyed by `content_hash`. The fields are what a model embeds, apart.

    In pointers-only mode `blob` is given instead of `text` and `doc`: the embedder reads it, `span` is the chunk's byte
    range of its text, and `doc` is what stands in the ranges `doc_at`, a blank between each two.
    """

    repo: str
    ref: str
    generation: int
    content_hash: str  # 32 hex
    path: str
    scopes: tuple[str, ...] = ()
    doc: str = ""
    imports: tuple[str, ...] = ()
    text: str = ""
    blob: str = ""  # 40 hex
    span: tuple[int, int] = (0, 0)
    doc_at: tuple[tuple[int, int], ...] = ()
    pushed_at: float
    lane: Lane = Lane.LIVE
