"""What every runner reports of its stage, under the names of metrics.py."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from headwater.events import Lane
from headwater.metrics import Metrics
from headwater.streaming.message import Partition, Received
from headwater.streaming.settlement import Settlement


class StageMetrics:
    """The reports of one stage."""

    def __init__(self, stage: str, metrics: Metrics) -> None:
        self._stage, self._metrics = stage, metrics

    def handling(self) -> AbstractContextManager[None]:
        return self._metrics.timed("headwater_stage_handle_seconds", stage=self._stage)

    def committing(self) -> AbstractContextManager[None]:
        return self._metrics.timed("headwater_stage_commit_seconds", stage=self._stage)

    def aborted(self) -> None:
        self._metrics.count("headwater_stage_aborts_total", stage=self._stage)

    def settled(self, lane: Lane, batch: Sequence[Received], settled: Settlement) -> None:
        name, metrics = self._stage, self._metrics
        metrics.count("headwater_stage_events_total", len(batch), stage=name, lane=lane)
        metrics.observe("headwater_stage_batch_events", len(batch), stage=name, lane=lane)
        for message in settled.send:
            metrics.count("headwater_stage_produced_total", stage=name, topic=message.topic)
        for letter in settled.dead:
            metrics.count("headwater_stage_dead_letters_total", stage=name, topic=letter.source.topic)
        if settled.again:
            metrics.count("headwater_stage_retries_total", stage=name)
        if settled.not_now:
            metrics.count("headwater_stage_back_pressure_total", stage=name)
        now = time.time()
        for pushed_at in [float(m.headers["pushed_at"]) for m in batch if "pushed_at" in m.headers]:
            metrics.observe("headwater_stage_event_age_seconds", max(0.0, now - pushed_at), stage=name)

    def share(self, lane: Lane, assigned: int, lag: Mapping[Partition, int]) -> None:
        self._metrics.set("headwater_stage_assigned_partitions", assigned, stage=self._stage, lane=lane)
        for partition, events in lag.items():
            self._metrics.set("headwater_stage_lag_events", events, **self._place(partition))

    def gave_up(self, partition: Partition) -> None:
        """The partition is another process's now."""
        self._metrics.forget("headwater_stage_lag_events", **self._place(partition))

    def paused(self, partitions: int) -> None:
        self._metrics.set("headwater_stage_paused_partitions", partitions, stage=self._stage)

    def _place(self, partition: Partition) -> dict[str, str]:
        return {"stage": self._stage, "topic": partition.topic, "partition": str(partition.number)}
