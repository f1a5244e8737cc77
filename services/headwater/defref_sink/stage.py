"""The document sink's shell: writes documents to the catalog, then acknowledges."""

from collections.abc import Iterable, Sequence

from headwater.defref_sink.process import writes
from headwater.events import SymbolsChanged
from headwater.events.index_applied import Index, acknowledge
from headwater.metrics import METRICS
from headwater.stores.catalog import Catalog, CatalogUnavailableError
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing


class DefRefSink:
    """Consumes symbols-changed."""

    name = "defref-sink"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def handle(self, batch: Sequence[SymbolsChanged]) -> Iterable[Outgoing]:
        try:
            self._catalog.put_documents(writes(batch))
        except CatalogUnavailableError as error:
            raise RetryableError(str(error)) from error
        METRICS.count("headwater_defref_sink_documents_total", len(batch))
        for event in acknowledge(batch, Index.LEXICAL, lambda e: e.document.key):
            yield Outgoing("index-applied", event.repo, event)
