"""Pure decisions of the document sink: what to write and the acknowledgements that follow."""

from collections.abc import Iterable, Sequence

from headwater.events import IndexApplied, SymbolsChanged
from headwater.events.index_applied import Index
from headwater.stores.catalog import DocumentWrite


def writes(batch: Sequence[SymbolsChanged]) -> list[DocumentWrite]:
    """One write for each document key, the last one of the batch."""
    return list({e.document.key: DocumentWrite(e.document, e.text) for e in batch}.values())


def acknowledgements(batch: Sequence[SymbolsChanged]) -> Iterable[IndexApplied]:
    """One for each view generation of the batch."""
    views: dict[tuple[str, str, int], list[SymbolsChanged]] = {}
    for event in batch:
        views.setdefault((event.repo, event.ref, event.generation), []).append(event)
    for (repo, ref, generation), events in views.items():
        yield IndexApplied(
            index=Index.LEXICAL,
            repo=repo,
            ref=ref,
            generation=generation,
            items=tuple(e.document.key for e in events),
            pushed_at=min(e.pushed_at for e in events),
            lane=events[0].lane,
        )
