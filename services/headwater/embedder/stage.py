"""The embedder's shell: skips what is embedded, asks the model for the rest in one call a batch."""

from collections.abc import Iterable, Sequence

from headwater.clients.embedding_model import EmbeddingModel, ModelUnavailableError
from headwater.domain.tree import TreeUnreadableError
from headwater.embedder.process import first_of_each
from headwater.embedder.referred import BlobReader, NoBlobs, ReferredTexts
from headwater.events import ChunkChanged, ChunkEmbedded
from headwater.metrics import METRICS
from headwater.stores.catalog import Catalog, CatalogUnavailableError
from headwater.streaming.errors import NotNowError, RetryableError
from headwater.streaming.stage import Outgoing


class Embedder:
    """Consumes chunk-changed. A hash that has a vector passes on without one, so that its generation is checked."""

    name = "embedder"

    def __init__(self, catalog: Catalog, model: EmbeddingModel, blobs: BlobReader | None = None) -> None:
        """`blobs` are read where events hold their text by reference."""
        self._catalog, self._model, self._texts = catalog, model, ReferredTexts(blobs or NoBlobs())

    def handle(self, batch: Sequence[ChunkChanged]) -> Iterable[Outgoing]:
        vectors = self._vectors(batch)
        for event in batch:
            yield Outgoing("chunk-embedded", event.content_hash, self._embedded(event, vectors))

    def _vectors(self, batch: Sequence[ChunkChanged]) -> dict[str, bytes]:
        """Vectors of the batch's new hashes."""
        try:
            first = first_of_each(batch, self._catalog.embedded([e.content_hash for e in batch]))
            texts = {e.content_hash: text for e, text in zip(first, self._texts.texts(first), strict=True) if text}
            new = [e for e in first if e.content_hash in texts]  # a blob that is gone belongs to no view's newest tree
            matrix = self._model.embed_chunks(list(texts.values())) if texts else ()
        except ModelUnavailableError as error:
            raise NotNowError(str(error)) from error
        except (CatalogUnavailableError, TreeUnreadableError) as error:
            raise RetryableError(str(error)) from error
        METRICS.count("headwater_embedder_chunks_total", len(new), outcome="embedded")
        METRICS.count("headwater_embedder_chunks_total", len(batch) - len(new), outcome="known")
        return {event.content_hash: row.tobytes() for event, row in zip(new, matrix, strict=True)}

    def _embedded(self, event: ChunkChanged, vectors: dict[str, bytes]) -> ChunkEmbedded:
        return ChunkEmbedded(
            repo=event.repo,
            ref=event.ref,
            generation=event.generation,
            content_hash=event.content_hash,
            model=self._model.version.model,
            vector=vectors.get(event.content_hash, b""),
            pushed_at=event.pushed_at,
            lane=event.lane,
        )
