"""One path of a view's new generation has content that the catalog holds no document of."""

import msgspec

from headwater.events.lane import Lane


class FileChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by merkle-differ. `content` is inline up to a limit; beyond it, and in pointers-only
    mode always, the chunker reads the blob by its id.
    """

    repo: str
    ref: str
    generation: int
    path: str
    mode: int
    blob: str  # 40 hex
    old_blob: str = ""  # 40 hex of the path's former content, "" for a new path
    content: bytes | None = None
    old_content: bytes | None = None
    pushed_at: float
    lane: Lane = Lane.LIVE
    variant: str = ""  # how it is treated, see domain/treatment.py
