"""An engine that answers from whichever edition of the index is live, question by question."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from headwater.domain.edition import WRITTEN, Editions
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.query.arrivals import Arrivals
from headwater.query.engine import Engine
from headwater.query.paging import expired
from headwater.stores.catalog import CatalogUnavailableError, VersionMismatchError

_DIGITS = 9
_MARK = "."  # between an edition's number and the page token that it gave; the first edition's are as they are

QUESTIONS = (
    *("search", "definitions", "usages", "grep", "context", "files", "structural", "structural_parts"),
    *("freshness", "holds", "views", "report"),
)

log = logging.getLogger("headwater")


class LiveEngine(Engine):
    """Every question of an Engine, asked of the live edition's; pages go on in the edition that they were begun in.

    An edition that can't be opened leaves the former one to answer: it takes every write, too.
    """

    def __init__(self, editions: Callable[[], Editions], open_engine: Callable[[int], Engine]) -> None:
        self._editions, self._open_engine = editions, open_engine
        self._engines: dict[int, Engine] = {}
        self._answering = 0
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            while self._engines:
                self._engines.popitem()[1].close()

    def prepare_structural(self) -> None:
        self._engine(0)[0].prepare_structural()

    @property
    def arrivals(self) -> Arrivals:
        return self._engine(0)[0].arrivals

    def _asked(self, method: str, question: Any, grants: Grants) -> Any:
        number, question = self._begun_in(question)
        engine, number = self._engine(number)
        answer = getattr(engine, method)(question, grants)
        token = getattr(answer, "next_page_token", "")
        if not token or number == 1:
            return answer
        return msgspec.structs.replace(answer, next_page_token=f"{number}{_MARK}{token}")

    def _begun_in(self, question: Any) -> tuple[int, Any]:
        """The edition that gave the question's page token (0: no token), and the question with its own token."""
        token: str = getattr(question, "page_token", "")
        number, mark, own = token.rpartition(_MARK)
        if not mark:
            return int(bool(token)), question
        is_edition = number.isdecimal() and len(number) <= _DIGITS
        return int(number) if is_edition else -1, msgspec.structs.replace(question, page_token=own)

    def _engine(self, asked_for: int) -> tuple[Engine, int]:
        editions = self._editions()
        kept = {e.number for e in editions.rows if e.phase in WRITTEN}
        live = editions.live.number if editions.live is not None else 1
        if asked_for and asked_for not in kept | {live}:
            raise expired()
        with self._lock:
            for number in self._engines.keys() - kept - {live, self._answering}:
                self._engines.pop(number).close()
            if asked_for:
                return self._opened(asked_for), asked_for
            try:
                engine, self._answering = self._opened(live), live
            except (CatalogUnavailableError, VersionMismatchError) as error:
                if self._answering not in self._engines:
                    raise
                log.error("index %d can't be opened, %d goes on answering: %s", live, self._answering, error)
                engine = self._engines[self._answering]
            return engine, self._answering

    def _opened(self, number: int) -> Engine:
        if number not in self._engines:
            self._engines[number] = self._open_engine(number)
        return self._engines[number]


def _asked_of_live(method: str) -> Callable[..., Any]:
    def ask(self: LiveEngine, question: Any, grants: Grants = ALLOW_ALL) -> Any:
        return self._asked(method, question, grants)

    return ask


for _method in QUESTIONS:
    setattr(LiveEngine, _method, _asked_of_live(_method))
