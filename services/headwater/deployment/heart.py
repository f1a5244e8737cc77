"""The reconciler's heartbeats: sent into every partition, heard again from the stages, shown as ages."""

from collections.abc import Callable, Sequence

from headwater.events import Heartbeat
from headwater.metrics import METRICS, Metrics
from headwater.streaming.board import Board
from headwater.streaming.kafka import Publisher, partition_counts
from headwater.streaming.kafka_connection import Access
from headwater.streaming.probe import probed_topics, probes


class Heart:
    """`heard` may come from another thread."""

    def __init__(
        self, access: Access, publisher: Publisher, clock: Callable[[], float], metrics: Metrics = METRICS
    ) -> None:
        self._access, self._publisher, self._clock, self._metrics = access, publisher, clock, metrics
        self._partitions: dict[str, int] = {}
        self._board: Board | None = None

    def beat(self) -> None:
        """Raises DeliveryError, KafkaUnavailableError."""
        now = self._clock()
        if self._board is None:
            self._partitions = partition_counts(self._access.connection(), list(probed_topics()))
            self._board = Board(self._partitions, now)
        for place, age in self._board.ages(now).items():
            labels = {"stage": place.stage, "lane": place.lane.value, "partition": str(place.partition)}
            self._metrics.set("headwater_stage_heartbeat_age_seconds", age, **labels)
        self._publisher.publish(list(probes(self._partitions, now)))

    def heard(self, heartbeats: Sequence[Heartbeat]) -> None:
        if self._board is not None:
            self._board.note(heartbeats, self._clock())

    def watermark(self) -> float:
        """Before the first beat nothing is known to have passed."""
        return float("-inf") if self._board is None else self._board.watermark()
