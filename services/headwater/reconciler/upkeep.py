"""Keeps the stores at their baseline: drops what no published view shows, and vectors that no document holds."""

from headwater.metrics import METRICS, Metrics
from headwater.stores.catalog import Catalog
from headwater.stores.vector_store import VectorStore


class Upkeep:
    """A vector goes when two looks in a row found no document for it: the first may have come between row and mark."""

    def __init__(self, catalog: Catalog, vectors: VectorStore, keep: int = 1, metrics: Metrics = METRICS) -> None:
        self._catalog, self._vectors, self._keep, self._metrics = catalog, vectors, keep, metrics
        self._suspects: set[str] = set()

    def look(self) -> int:
        """Gives the rows and vectors removed. Raises CatalogUnavailableError, VectorsUnavailableError."""
        removed = self._catalog.collect(self._keep)
        self._metrics.set("headwater_catalog_unreferenced_rows", self._catalog.unreferenced(), table="all")
        self._metrics.set("headwater_catalog_bytes", self._catalog.size())
        orphans = set(self._catalog.orphan_hashes(self._vectors.hashes()))
        gone = orphans & self._suspects
        if gone:
            self._vectors.delete(sorted(gone))
        self._suspects = orphans - gone
        return removed + len(gone)
