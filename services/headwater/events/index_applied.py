"""An index has durably applied a part of a generation."""

from enum import StrEnum

import msgspec

from headwater.events.lane import Lane


class Index(StrEnum):
    """The two sides of the index."""

    LEXICAL = "lexical"
    VECTOR = "vector"


class IndexApplied(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by both sinks and by merkle-differ for a generation that needs no work; keyed by repository."""

    index: Index
    repo: str
    ref: str
    generation: int
    items: tuple[str, ...] = ()  # document keys (lexical) or content hashes (vector)
    pushed_at: float
    lane: Lane = Lane.LIVE
