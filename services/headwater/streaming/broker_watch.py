"""Looks every few seconds whether the brokers would take a client, for those that can't tell by themselves."""

import threading
from types import TracebackType
from typing import Self

from headwater.streaming.kafka_connection import Access
from headwater.streaming.refusal import refusal


class BrokerWatch:
    """On a thread of its own while the context lasts. `trouble` is why they don't, "" when they do."""

    def __init__(self, access: Access, every_s: float = 5.0) -> None:
        self._access, self._every = access, every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="brokers", daemon=True)
        self.trouble = ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=10)

    def _look(self) -> None:
        while not self._stop.is_set():
            self.trouble = refusal(self._access)
            self._stop.wait(self._every)
