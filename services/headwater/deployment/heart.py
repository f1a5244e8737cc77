"""The reconciler's heartbeats: sent into every partition, heard again from the stages, shown as ages."""

from collections.abc import Callable, Sequence

from headwater.events import Heartbeat
from headwater.metrics import METRICS, Metrics
from headwater.streaming.board import Board
from headwater.streaming.kafka import Publisher, partition_counts
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.probe import probed_topics, probes


class Heart:
    """`heard` may come from another thread."""

    def __init__(
        self, connection: Connection, publisher: Publisher, clock: Callable[[], float], metrics: Metrics = METRICS
    ) -> None:
        """Raises KafkaUnavailableError."""
        self._publisher, self._clock, self._metrics = publisher, clock, metrics
        self._partitions = partition_counts(connection, list(probed_topics()))
        self._board = Board(self._partitions, clock())

    def beat(self) -> None:
        """Raises DeliveryError."""
        now = self._clock()
        for place, age in self._board.ages(now).items():
            labels = {"stage": place.stage, "lane": place.lane.value, "partition": str(place.partition)}
            self._metrics.set("headwater_stage_heartbeat_age_seconds", age, **labels)
        self._publisher.publish(list(probes(self._partitions, now)))

    def heard(self, heartbeats: Sequence[Heartbeat]) -> None:
        self._board.note(heartbeats, self._clock())

    def watermark(self) -> float:
        return self._board.watermark()
