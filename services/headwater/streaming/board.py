"""How long ago a heartbeat came through each stage and partition: pure, over a clock that is handed in."""

from collections.abc import Iterable, Mapping

import msgspec

from headwater.events import Heartbeat, Lane
from headwater.streaming.probe import probed_topics
from headwater.topology import HEARTBEAT, STAGES, TOPICS


class Place(msgspec.Struct, frozen=True, order=True):
    """One partition of one topic that a stage consumes."""

    stage: str
    lane: Lane
    topic: str
    partition: int


class Board:
    """A place that never answered is as old as the board."""

    def __init__(self, partitions: Mapping[str, int], now: float) -> None:
        """`partitions` counts them by real topic."""
        self._passed = dict.fromkeys(places(partitions), now)
        self._by_id = {f"{p.topic}/{p.partition}": p for p in self._passed}

    def note(self, heartbeats: Iterable[Heartbeat], now: float) -> None:
        """Answers may come twice and in any order; those of unknown places or of a clock that ran ahead are no news."""
        for heartbeat in heartbeats:
            place = self._by_id.get(heartbeat.id)
            if place is not None and heartbeat.sent_at <= now:
                self._passed[place] = max(self._passed[place], heartbeat.sent_at)

    def ages(self, now: float) -> Mapping[Place, float]:
        """Seconds since the newest heartbeat that came through was sent: also the age of what waits in the place."""
        return {place: max(0.0, now - at) for place, at in self._passed.items()}

    def watermark(self) -> float:
        """Every place has answered a heartbeat sent then or later, so nothing from before waits in any."""
        return min(self._passed.values(), default=float("inf"))


def places(partitions: Mapping[str, int]) -> Iterable[Place]:
    """Where heartbeats go: every partition of every topic that a stage consumes, but for the answers' own."""
    consumers = {name: stage.name for stage in STAGES for name in stage.consumes if name != HEARTBEAT.name}
    lanes = probed_topics()
    for name, stage in consumers.items():
        for topic in (t for t in lanes if t in {TOPICS[name].lane(lane) for lane in Lane}):
            for number in range(partitions[topic]):
                yield Place(stage, lanes[topic], topic, number)
