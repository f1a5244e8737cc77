"""Compares the marks of the catalog with the vectors: what is marked as embedded must be there as it was written."""

from collections import Counter

import msgspec

from headwater.stores.catalog import Catalog
from headwater.stores.vector_store import Loss, VectorStore

AT_ONCE = 5_000


class VectorProof(msgspec.Struct, frozen=True):
    """Of `compared` marks, those whose vector was lost, and how. `last` is where the next look begins."""

    compared: int
    lost: dict[str, Loss]
    last: str = ""

    def by_kind(self) -> dict[str, int]:
        return dict(sorted(Counter(kind.value for kind in self.lost.values()).items()))


def compare_some(catalog: Catalog, vectors: VectorStore, after: str, limit: int) -> VectorProof:
    """The next `limit` marks; `last` is "" at the end. Raises CatalogUnavailableError, VectorsUnavailableError."""
    hashes = catalog.marked(after, limit)
    return VectorProof(len(hashes), vectors.lost(hashes), hashes[-1] if len(hashes) == limit else "")


def compare_all(catalog: Catalog, vectors: VectorStore) -> VectorProof:
    """Every mark. Raises CatalogUnavailableError, VectorsUnavailableError."""
    compared, lost, last = 0, dict[str, Loss](), ""
    while True:
        part = compare_some(catalog, vectors, last, AT_ONCE)
        compared, lost, last = compared + part.compared, lost | part.lost, part.last
        if not last:
            return VectorProof(compared, lost)


def take_back(catalog: Catalog, vectors: VectorStore, proof: VectorProof) -> None:
    """The marks go, so that exactly these are made again. Raises CatalogUnavailableError, VectorsUnavailableError."""
    if proof.lost:
        present = [key for key, kind in proof.lost.items() if kind is not Loss.ABSENT]
        if present:
            vectors.delete(sorted(present))
        catalog.unmark_embedded(sorted(proof.lost))
