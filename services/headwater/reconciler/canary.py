"""The canary: a symbol that each repository is known to define must be found through the query service."""

import logging
import time
from typing import Protocol

import msgspec

from headwater.clients.query_client import QueryUnavailableError
from headwater.domain.view import ViewKey
from headwater.metrics import METRICS, Metrics
from headwater.stores.index_reader import IndexReader

CANDIDATES = 8
_COMMON = ("e", "a", "o", "i", "n")  # nearly every name has one of these

log = logging.getLogger("headwater")


class Asker(Protocol):
    def definitions(self, repo: str, ref: str, symbol: str) -> list[tuple[str, str]]:
        """(commit, path) of each definition. Raises QueryUnavailableError."""
        ...


class Known(msgspec.Struct, frozen=True):
    """A symbol of a view's published commit and a file that defines it."""

    view: ViewKey
    commit: str
    symbol: str
    path: str


class Canary:
    """One thread at a time."""

    def __init__(self, reader: IndexReader, asker: Asker, metrics: Metrics = METRICS) -> None:
        self._reader, self._asker, self._metrics = reader, asker, metrics

    def look(self) -> int:
        """Ask for one symbol of each repository; gives the failures. Raises CatalogUnavailableError."""
        failures = 0
        for known in self._known():
            begun = time.perf_counter()
            problem = self._problem(known)
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

    def _problem(self, known: Known) -> str:
        try:
            found = self._asker.definitions(known.view.repo, known.view.ref, known.symbol)
        except QueryUnavailableError as error:
            return str(error)
        if known.path in {path for _commit, path in found}:
            return ""
        if any(commit != known.commit for commit, _path in found):
            return ""  # a newer commit was published meanwhile
        return f"{known.symbol} of {known.path} is not found"
