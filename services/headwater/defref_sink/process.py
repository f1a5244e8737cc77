"""Pure decisions of the document sink: what to write."""

from collections.abc import Sequence

from headwater.events import SymbolsChanged
from headwater.stores.catalog import DocumentWrite


def writes(batch: Sequence[SymbolsChanged]) -> list[DocumentWrite]:
    """One write for each document key, the last one of the batch."""
    return list({e.document.key: DocumentWrite(e.document, e.text, e.terms) for e in batch}.values())
