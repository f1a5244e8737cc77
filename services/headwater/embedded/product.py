"""The composition root of the embedded product: every port with its in-process implementation."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from headwater.clients.embedding_model import EmbeddingModel
from headwater.domain.edition import Edition, Phase, adopt
from headwater.domain.treatment import Treatment, treatment_from
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.models import Models, StaticModels, why_unwritable
from headwater.embedded.open_edition import Git, OpenEdition, Progress
from headwater.embedded.pointers import with_own_key
from headwater.events import CommitReceived
from headwater.rollout.sharing import share_repositories
from headwater.stores.catalog import CatalogUnavailableError, VersionMismatchError
from headwater.stores.edition_file import FileEditions
from headwater.stores.git_source import LocalGitSource
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.stores.vector_store import VectorsUnavailableError
from headwater.streaming.in_process import PipelineStalledError

__all__ = ["Git", "Product", "Progress"]

BEHIND = (PipelineStalledError, CatalogUnavailableError, VectorsUnavailableError, VersionMismatchError)

log = logging.getLogger("headwater")


class Product:
    """One home opened. It answers from its live edition, and writes to every edition that takes writes."""

    def __init__(self, home: Home, treatment: Treatment | None = None, models: Models | None = None) -> None:
        """`treatment` is HEADWATER_INDEXING_… unless given.

        Raises SettingsError, VersionMismatchError, CatalogUnavailableError.
        """
        self.home, self.models = home.make(), models or StaticModels()
        self.treatment = with_own_key(treatment_from(os.environ) if treatment is None else treatment, home)
        self.git = LocalGitSource(self._location)
        self.registry = FileEditions(home.editions)
        self._open: dict[int, OpenEdition] = {}
        self._lock = threading.RLock()
        if not self.registry.read().rows:
            self._adopt()
        self.edition(self._live().number)

    @property
    def live(self) -> OpenEdition:
        """As the row says now; another process may have cut over."""
        return self.edition(self._live().number)

    @property
    def catalog(self) -> SqliteCatalog:
        return self.live.catalog

    @property
    def vectors(self) -> MmapVectorStore:
        return self.live.vectors

    @property
    def model(self) -> EmbeddingModel:
        return self.live.model

    def edition(self, number: int) -> OpenEdition:
        """Opened when it is first asked for. Raises VersionMismatchError, CatalogUnavailableError."""
        with self._lock:
            if number not in self._open:
                row = self.registry.read().get(number)
                if row is None or row.phase is Phase.RELEASED:
                    raise CatalogUnavailableError(f"there is no index {number} (any more)")
                self._open[number] = self._opened(row)
            return self._open[number]

    def others(self) -> list[OpenEdition]:
        """Editions that take writes without being live."""
        return [self.edition(e.number) for e in self.registry.read().written if e.phase is not Phase.LIVE]

    def forget(self, number: int) -> None:
        """Close an edition that is going away."""
        with self._lock:
            opened = self._open.pop(number, None)
        if opened is not None:
            opened.close()

    def run(self, events: Iterable[CommitReceived], progress: Progress | None = None, git: Git | None = None) -> int:
        """Put the events through the pipeline until nothing is left to do; returns the tree objects visited.

        `git` is where they are read from, the registered repositories unless given. The live edition decides; another
        one that can't follow now catches up later.

        Raises PipelineStalledError, DivergenceError, VersionMismatchError.
        """
        moved, live = list(events), self.live
        visited = live.run(moved, progress, git)
        # What was live may have changed meanwhile: the one that is live now has not had these events, either.
        for other in (self.edition(e.number) for e in self.registry.read().written if e.number != live.number):
            self._tried(other, lambda other=other: self._share(other, moved, git))  # type: ignore[misc]
        return visited

    def collect(self, thorough: bool = False) -> int:
        """See `OpenEdition.collect`; of every edition. Rows removed from the live one."""
        for other in self.others():
            self._tried(other, lambda other=other: self._share(other, (), None))  # type: ignore[misc]
            self._tried(other, lambda other=other: other.collect(thorough))  # type: ignore[misc]
        return self.live.collect(thorough)

    def close(self) -> None:
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _share(self, other: OpenEdition, events: Iterable[CommitReceived], git: Git | None) -> None:
        """What moved of views that it has already: a view's first load is `catch_up`'s."""
        share_repositories(self.catalog, other.catalog)
        shown = {state.view for state in self.catalog.views()}
        views = {state.view for state in other.catalog.views()}
        for gone in (view for view in views - shown if view.owner is not None):
            other.catalog.delete_view(gone)
        known = [e for e in events if (view := ViewKey(e.repo, e.ref)) in views or view.owner is not None]
        if known:
            other.run(known, git=git, attempts=1)

    def _tried(self, other: OpenEdition, work: Callable[[], object]) -> None:
        try:
            work()
        except BEHIND as error:
            log.warning("index %d is behind and catches up later: %s", other.number, error)

    def _adopt(self) -> None:
        """The first edition is of the program's own model."""
        version = self.models.own.version
        self._open[1] = self._opened(Edition(number=1, version=version, phase=Phase.LIVE))
        self.registry.change(adopt(version, {}, time.time()))

    def _opened(self, row: Edition) -> OpenEdition:
        home, own = self.home.edition(row.number), self.models.own.version
        model = self.models.of(row, home)
        return OpenEdition(row, home, model, self.git, self.treatment, why_unwritable(row, model, own))

    def _live(self) -> Edition:
        live = self.registry.read().live
        if live is None:
            raise CatalogUnavailableError(f"no index of {self.home.root} is live: restore {self.home.editions}")
        return live

    def _location(self, repo: str) -> str | None:
        return next((r.location for r in self.catalog.repositories() if r.name == repo), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
