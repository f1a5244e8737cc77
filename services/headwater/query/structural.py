"""The port to structural search, and the thread that gets it ready for what has been published."""

import logging
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol, Self

from headwater.domain.answer import StructuralReport
from headwater.domain.query_error import QueryError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import Selection

LOG = logging.getLogger(__name__)
LOOK_EVERY_S = 2.0
JOIN_S = 2.0


class StructuralPart(Protocol):
    """Answers from any thread."""

    def __call__(
        self, question: StructuralQuestion, selection: Selection, remaining: Callable[[], float]
    ) -> Iterator[StructuralReport]:
        """Parts of a report as they are found, while seconds remain. Raises QueryError."""
        ...

    def prepare(self, selection: Selection) -> None:
        """Does ahead what the first question about these files would do."""
        ...


class Preparer:
    """Started and stopped as a context. Looks at what is published and prepares what is new, one thing at a time."""

    def __init__(
        self, published: Callable[[], object], prepare: Callable[[], None], every_s: float = LOOK_EVERY_S
    ) -> None:
        """`published` gives something that differs once there is something to prepare. Both may raise QueryError."""
        self._published, self._prepare, self._every_s = published, prepare, every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="preparer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What is being prepared then goes on for a moment at most in a thread that ends with the process."""
        self._stop.set()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        done: object = None
        while not self._stop.is_set():
            done = self._look(done)
            self._stop.wait(self._every_s)

    def _look(self, done: object) -> object:
        try:
            found = self._published()
            if found != done:
                self._prepare()
        except QueryError as error:
            LOG.debug("nothing is prepared for structural questions: %s", error.message)
            return done
        return found
