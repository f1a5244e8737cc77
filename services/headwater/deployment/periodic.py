"""Work that a service does every few seconds beside its main loop; when it crashes, the process ends."""

import logging
import os
import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

log = logging.getLogger("headwater")


class Periodic:
    """Runs `work` at once and then every `every_s` seconds on a thread of its own, while the context lasts."""

    def __init__(self, name: str, every_s: float, work: Callable[[], None]) -> None:
        self._name, self._every, self._work = name, every_s, work
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.crashed = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=30)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._work()
                self._stop.wait(self._every)
        except Exception:
            log.exception("%s crashed: the process ends, to be started again", self._name)
            self.crashed = True
            os.kill(os.getpid(), signal.SIGTERM)
