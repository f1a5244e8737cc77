"""The editions of the index as the query service opens them: a catalog and an engine for each that has answered."""

import threading
from collections.abc import Mapping
from contextlib import ExitStack, closing

import msgspec

from headwater.deployment.parts.catalog import WholeCatalog
from headwater.deployment.parts.editions import RememberedEditions, catalog_of, open_registry
from headwater.deployment.parts.model import model_of
from headwater.deployment.parts.vectors import open_vectors
from headwater.domain.edition import Edition, Editions, Phase
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.stores.catalog import CatalogUnavailableError

LOOK_S = 1.0  # how long a look at the registry counts


class LiveIndex:
    """Safe to use from several threads. Raises CatalogUnavailableError, VersionMismatchError."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """There is a live edition: opening the service's own catalog has seen to that. Raises SettingsError."""
        self._environ, self._opened = environ, ExitStack()
        self._registry = self._opened.enter_context(closing(open_registry(environ)))
        self._remembered = RememberedEditions(self._registry, LOOK_S)
        self._catalogs: dict[int, WholeCatalog] = {}
        self._lock = threading.Lock()

    def editions(self) -> Editions:
        return self._remembered.read()

    def catalog(self) -> WholeCatalog:
        """The live edition's."""
        live = self.editions().live
        if live is None:
            raise CatalogUnavailableError("no index is live")
        return self._catalog(live)

    def others(self) -> list[WholeCatalog]:
        """Those of the editions that take writes without being live."""
        return [self._catalog(e) for e in self.editions().written if e.phase is not Phase.LIVE]

    def engine(self, number: int, shared: Parts) -> Engine:
        """An edition's: its own catalog, vectors and model, everything else as in `shared`."""
        edition = self.editions().get(number)
        if edition is None:
            raise CatalogUnavailableError(f"there is no index {number}")
        catalog = self._catalog(edition)  # first: while it can't be opened every question tries
        model = self._opened.enter_context(closing(model_of(self._environ, edition)))
        vectors = VectorSide(model, open_vectors(self._environ, edition.version))
        return Engine(msgspec.structs.replace(shared, reader=catalog, vectors=vectors))

    def close(self) -> None:
        self._opened.close()

    def _catalog(self, edition: Edition) -> WholeCatalog:
        with self._lock:
            if edition.number not in self._catalogs:
                catalog = catalog_of(self._environ, edition.number, edition.version)
                self._catalogs[edition.number] = self._opened.enter_context(closing(catalog))
            return self._catalogs[edition.number]
