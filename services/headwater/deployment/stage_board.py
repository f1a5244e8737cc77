"""The heartbeats as the query service overhears them, for GetFreshness."""

import threading
from collections.abc import Callable
from contextlib import closing
from types import TracebackType
from typing import Self

from headwater.domain.answer import StageFreshness
from headwater.events import Heartbeat
from headwater.settings import SettingsError
from headwater.streaming.board import Board
from headwater.streaming.codec import decode_event
from headwater.streaming.errors import InvalidEventError
from headwater.streaming.kafka import KafkaUnavailableError, Tail, partition_counts
from headwater.streaming.kafka_connection import Access
from headwater.streaming.message import Received
from headwater.streaming.probe import probed_topics
from headwater.topology import HEARTBEAT

RETRY_S = 5.0


class StageBoard:
    """Listens on a thread of its own while the context lasts. Without Kafka there is nothing to tell, and no error."""

    def __init__(self, access: Access, clock: Callable[[], float]) -> None:
        self._access, self._clock = access, clock
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
        """Again from the start whenever the credentials are renewed."""
        while not self._stop.is_set():
            fingerprint = self._access.fingerprint()
            try:
                connection = self._access.connection()
                board = Board(partition_counts(connection, list(probed_topics())), self._clock())
                with closing(Tail(connection, [HEARTBEAT.name])) as tail:
                    self._board = board
                    self._follow(tail, board, fingerprint)
            except (KafkaUnavailableError, SettingsError):
                self._stop.wait(RETRY_S)

    def _follow(self, tail: Tail, board: Board, fingerprint: str) -> None:
        while not self._stop.is_set() and self._access.fingerprint() == fingerprint:
            board.note(filter(None, map(_heartbeat, tail.take(0.5))), self._clock())


def _heartbeat(message: Received) -> Heartbeat | None:
    try:
        event = decode_event(message.partition.topic, message.value)
    except InvalidEventError:
        return None
    return event if isinstance(event, Heartbeat) else None
