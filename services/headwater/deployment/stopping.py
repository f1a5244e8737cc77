"""The end of a process that serves: SIGTERM and Ctrl-C ask for it, and it comes in stated time, whatever works on."""

import logging
import os
import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

LOG = logging.getLogger("headwater")
SPARE_S = 3.0  # beyond what the server takes to stop, for whatever else is to be closed


class Stopping:
    """A context around all that is to be closed; entered on the main thread.

    What doesn't end in time is left as a crash would leave it: stores survive that, and locks go with the process.
    """

    def __init__(self, within_s: float, leave: Callable[[int], object] = os._exit) -> None:
        self._within_s, self._leave, self._asked = within_s, leave, threading.Event()
        self._timer: threading.Timer | None = None

    def wait(self, seconds: float) -> bool:
        """Whether it has been asked for, after at most this time."""
        return self._asked.wait(seconds)

    def ask(self) -> None:
        """The process ends within the stated time from now; asked again, that goes on."""
        if self._timer is None:
            self._timer = threading.Timer(self._within_s, self._give_up)
            self._timer.daemon = True
            self._timer.start()
        self._asked.set()

    def _give_up(self) -> None:
        LOG.warning("something still worked after %g s: it is left behind", self._within_s)
        self._leave(0)

    def __enter__(self) -> Self:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: self.ask())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Threads that don't end are waited for at the interpreter's end: the timer goes on until then."""
