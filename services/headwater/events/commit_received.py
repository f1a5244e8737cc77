"""A ref of a repository points to a new commit, or is gone."""

import msgspec

from headwater.events.lane import Lane


class CommitReceived(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by commit-ingest and, for repairs, by the reconciler."""

    repo: str
    ref: str
    before: str = ""  # 40 hex, "" when unknown
    after: str  # 40 hex; "" when the ref was deleted
    tree: str = ""  # 40 hex of `after`
    pushed_at: float  # epoch seconds
    cause: str  # webhook, hook, poll, command, repair
    lane: Lane = Lane.LIVE
    paths: tuple[str, ...] = ()  # a repair names the differing paths; empty means whatever differs
