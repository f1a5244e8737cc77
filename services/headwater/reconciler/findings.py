"""Pure decisions on what a look at a view found: what to repair, and when a wait has become a loss."""

import msgspec

from headwater.domain.view import ViewKey
from headwater.events import CommitReceived

MOST_PATHS = 5_000  # in one repair event; beyond it the differ finds them itself

STEPS = 5  # places that an event passes between commit-received and its publication


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One view compared with its git host: what differs, and why."""

    view: ViewKey
    head: str  # commit of the ref, "" when it is gone
    reason: str  # behind, refused, deleted, unfinished, diverged, rows, vectors, parked
    paths: tuple[str, ...] = ()

    def repair(self, now: float) -> CommitReceived:
        """Exactly the differing paths; none when they are too many for one event, which means whatever differs."""
        paths = self.paths if len(self.paths) <= MOST_PATHS else ()
        return CommitReceived(
            repo=self.view.repo, ref=self.view.ref, after=self.head, pushed_at=now, cause="repair", paths=paths
        )


class Patience:
    """Tells late from lost: the same finding must stand while heartbeats pass every stage, one after the other.

    Nothing that was sent before a heartbeat still waits behind it, so after as many rounds of heartbeats as there are
    stages, what is still missing can't be under way. A repair that doesn't help is repeated ever more rarely.
    """

    def __init__(self, longest_s: float = 1800.0) -> None:
        self._longest = longest_s
        self._standing: dict[ViewKey, _Standing] = {}

    def is_lost(self, finding: Finding, now: float, watermark: float) -> bool:
        """`watermark` is the board's."""
        standing = self._standing.get(finding.view)
        if standing is None or standing.finding != finding:
            repairs = standing.repairs if standing is not None and standing.finding.reason == finding.reason else 0
            self._standing[finding.view] = _Standing(finding, now, repairs)
            return False
        if watermark > standing.since:
            standing.rounds += 1
            standing.since = now
        return standing.rounds >= STEPS and now >= standing.not_before

    def repaired(self, finding: Finding, now: float) -> None:
        standing = self._standing[finding.view]
        standing.repairs += 1
        standing.rounds = 0
        standing.not_before = now + min(self._longest, 5.0 * 2.0 ** min(standing.repairs, 20))

    def well(self, view: ViewKey) -> None:
        """Nothing differs (any more)."""
        self._standing.pop(view, None)


class _Standing(msgspec.Struct):
    finding: Finding
    since: float
    repairs: int = 0
    rounds: int = 0
    not_before: float = 0.0
