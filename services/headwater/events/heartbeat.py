"""A probe put into every partition of every topic, so that silence means a stopped stage."""

import msgspec

from headwater.events.lane import Lane


class Heartbeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by the reconciler; the stage that reads the partition stamps it and passes it on to `heartbeat`."""

    id: str  # topic/partition
    sent_at: float  # epoch seconds
    partition: int = 0
    hops: tuple[tuple[str, float], ...] = ()  # (stage, epoch seconds) in order
    lane: Lane = Lane.LIVE
