"""The heartbeats as the query service overhears them, for GetFreshness."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from headwater.domain.answer import StageFreshness
from headwater.events import Heartbeat
from headwater.streaming.board import Board
from headwater.streaming.codec import decode_event
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.kafka import KafkaUnavailableError, Tail, partition_counts
from headwater.streaming.kafka_connection import Connection
from headwater.streaming.message import Received
from headwater.streaming.probe import probed_topics
from headwater.topology import HEARTBEAT

RETRY_S = 5.0


class StageBoard:
    """Listens on a thread of its own while the context lasts. Without Kafka there is nothing to tell, and no error."""

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self._connection, self._clock = connection, clock
        self._board: Board | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="heartbeats", daemon=True)

    def stages(self) -> tuple[StageFreshness, ...]:
        if self._board is None:
            return ()
        return tuple(
            StageFreshness(stage=p.stage, topic=p.topic, partition=p.partition, heartbeat_age_seconds=age)
            for p, age in sorted(self._board.ages(self._clock()).items())
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=10)

    def _listen(self) -> None:
        tail = self._tail()
        while tail is not None and self._board is not None and not self._stop.is_set():
            self._board.note(filter(None, map(_heartbeat, tail.take(0.5))), self._clock())
        if tail is not None:
            tail.close()

    def _tail(self) -> Tail | None:
        while not self._stop.is_set():
            try:
                tail = Tail(self._connection, [HEARTBEAT.name])
                self._board = Board(partition_counts(self._connection, list(probed_topics())), self._clock())
            except KafkaUnavailableError:
                self._stop.wait(RETRY_S)
            else:
                return tail
        return None


def _heartbeat(message: Received) -> Heartbeat | None:
    try:
        event = decode_event(message.partition.topic, message.value)
    except InvalidEventError:
        return None
    return event if isinstance(event, Heartbeat) else None
