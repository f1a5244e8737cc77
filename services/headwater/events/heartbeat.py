"""A probe that travels through every stage and partition, so that silence means a stopped stage."""

import msgspec

from headwater.events.lane import Lane


class Heartbeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by the reconciler into the first topic; each stage stamps and forwards it."""

    id: str
    sent_at: float  # epoch seconds
    partition: int = 0
    hops: tuple[tuple[str, float], ...] = ()  # (stage, epoch seconds) in order
    lane: Lane = Lane.LIVE
