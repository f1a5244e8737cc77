"""The vector sink's shell: writes vectors, marks their hashes in the catalog, then acknowledges."""

from collections.abc import Iterable, Sequence

from headwater.domain.version import PipelineVersion
from headwater.events import ChunkEmbedded
from headwater.events.index_applied import Index, acknowledge
from headwater.metrics import METRICS
from headwater.stores.catalog import Catalog, CatalogUnavailableError
from headwater.stores.vector_store import VectorStore, VectorsUnavailableError
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing
from headwater.vector_sink.process import rows


class VectorSink:
    """Consumes chunk-embedded."""

    name = "vector-sink"

    def __init__(self, catalog: Catalog, vectors: VectorStore, version: PipelineVersion) -> None:
        self._catalog, self._vectors, self._version = catalog, vectors, version

    def handle(self, batch: Sequence[ChunkEmbedded]) -> Iterable[Outgoing]:
        hashes, matrix = rows(batch, self._version.model, self._version.dimensions)
        try:
            if hashes:
                self._vectors.upsert(hashes, matrix)
                self._catalog.mark_embedded(hashes)
        except (VectorsUnavailableError, CatalogUnavailableError) as error:
            raise RetryableError(str(error)) from error
        METRICS.count("headwater_vector_sink_rows_total", len(hashes))
        for event in acknowledge(batch, Index.VECTOR, lambda e: e.content_hash):
            yield Outgoing("index-applied", event.repo, event)
