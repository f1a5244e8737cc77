"""The canary: a symbol that each repository is known to define must be found through the query service."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import msgspec

from headwater.domain.asking import Asker
from headwater.domain.query_error import NotFoundError, QueryError
from headwater.domain.question import DefinitionsQuestion
from headwater.domain.view import ViewKey
from headwater.metrics import METRICS, Metrics
from headwater.stores.index_reader import IndexReader

CANDIDATES = 8
ANSWER_S = 5.0
Connect = Callable[[], AbstractContextManager[Asker]]
_COMMON = ("e", "a", "o", "i", "n")  # nearly every name has one of these

log = logging.getLogger("headwater")


class Known(msgspec.Struct, frozen=True):
    """A symbol of a view's published commit and a file that defines it."""

    view: ViewKey
    commit: str
    symbol: str
    path: str


class Canary:
    """One thread at a time; asks over a new connection each round, as a caller who comes anew."""

    def __init__(self, reader: IndexReader, connect: Connect, metrics: Metrics = METRICS) -> None:
        self._reader, self._connect, self._metrics = reader, connect, metrics

    def look(self) -> int:
        """Ask for one symbol of each repository; gives the failures. Raises CatalogUnavailableError, SettingsError."""
        with self._connect() as asker:
            return self._ask(asker)

    def _ask(self, asker: Asker) -> int:
        failures = 0
        for known in self._known():
            begun = time.perf_counter()
            problem = _problem(asker, known)
            self._metrics.observe("headwater_reconciler_canary_seconds", time.perf_counter() - begun)
            if problem:
                log.error("canary: %s %s: %s", known.view.repo, known.view.ref, problem)
                self._metrics.count("headwater_reconciler_canary_failures_total")
                failures += 1
        return failures

    def _known(self) -> list[Known]:
        first: dict[str, ViewKey] = {}
        for state in self._reader.views():
            if state.published and not state.deleted and state.view.owner is None:
                first.setdefault(state.view.repo, state.view)
        found = (self._symbol_of(view) for view in first.values())
        return [known for known in found if known is not None]

    def _symbol_of(self, view: ViewKey) -> Known | None:
        """None for a repository that defines nothing."""
        with self._reader.pin([view]) as scope:
            for part in _COMMON:
                names = self._reader.names_containing(part, CANDIDATES)
                rows = self._reader.symbols_named(scope, names, 1) if scope and names else []
                if rows:
                    return Known(view, scope[0].commit, rows[0].symbol.name, rows[0].document.path)
        return None


def _problem(asker: Asker, known: Known) -> str:
    """What is wrong with the answer, "" for nothing."""
    view = known.view
    question = DefinitionsQuestion(symbol=known.symbol, repos=(view.repo,), refs=(view.ref,), timeout_s=ANSWER_S)
    try:
        found = asker.definitions(question).results
    except NotFoundError:
        found = ()
    except QueryError as error:
        return str(error)
    if known.path in {result.path for result in found}:
        return ""
    if any(result.commit != known.commit for result in found):
        return ""  # a newer commit was published meanwhile
    return f"{known.symbol} of {known.path} is not found"
