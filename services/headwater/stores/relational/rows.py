"""Reading documents as a scope shows them: the join that decides visibility, and bodies decoded once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeVar

from headwater.domain.document import Chunk, Document, Symbol
from headwater.stores.index_reader import DocumentRow
from headwater.stores.relational import codec
from headwater.stores.relational.codec import UsageBlock
from headwater.stores.relational.database import Session
from headwater.stores.relational.deltas import decompressed
from headwater.stores.relational.document_rows import BLOCK_BITS, whole
from headwater.stores.relational.ids import in_batches
from headwater.stores.relational.layers import UNMASKED

T = TypeVar("T")

# joins entries to the scope and the document; goes after a table whose `document` is `{0}`
SHOWN = f"""CROSS JOIN entries e CROSS JOIN @scope s CROSS JOIN documents d
WHERE e.document = {{0}} AND s.view = e.view AND e.from_generation <= s.generation AND e.to_generation > s.generation
  AND d.id = e.document AND {UNMASKED}"""
DOCUMENT = "s.i, d.id, d.path, d.language, d.generated, lower(hex(d.blob))"
DOCUMENT_WIDTH = 6
_COLUMN = "SELECT document, {} FROM bodies WHERE document IN @ints"
_BLOCKS = "SELECT id, data FROM usage_blocks WHERE id IN @ints"
DECODED = 256  # documents whose parts are asked for, and in memory, at a time


def document_row(row: Sequence[Any]) -> DocumentRow:
    """From the columns of DOCUMENT."""
    snapshot, document_id, path, language, generated, blob = row[:DOCUMENT_WIDTH]
    return DocumentRow(snapshot, document_id, path, language, bool(generated), blob)


class Bodies:
    """Decoded parts of documents, the latest kept: documents are immutable once indexed."""

    def __init__(self, capacity: int = DECODED) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._lock = threading.Lock()

    def symbols(self, session: Session, documents: Collection[int]) -> dict[int, tuple[Symbol, ...]]:
        """By document."""
        return self._parts(session, "symbols", documents, codec.SYMBOLS.decode)

    def chunks(self, session: Session, documents: Collection[int]) -> dict[int, tuple[Chunk, ...]]:
        """By document."""
        return self._parts(session, "chunks", documents, codec.CHUNKS.decode)

    def document(self, session: Session, document_id: int) -> Document | None:
        """None when there is no such document or it is pending."""
        rows = session.rows("SELECT head, split, symbols, chunks FROM bodies WHERE document = ?", document_id)
        if not rows:
            return None
        head, split, *facts = rows[0]
        blocks = self._usage_blocks(session, document_id) if split else None
        raw = [
            decompressed(session, _COLUMN.format(column), [(document_id, body)])[document_id]
            for column, body in zip(("head", "symbols", "chunks"), (head, *facts), strict=True)
        ]
        return whole(codec.HEAD.decode(raw[0]), codec.SYMBOLS.decode(raw[1]), codec.CHUNKS.decode(raw[2]), blocks)

    def usages(
        self, session: Session, blocks: Collection[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], UsageBlock]]:
        """Blocks by (document, number), decoded one at a time."""
        ids = {(document_id << BLOCK_BITS) | number: (document_id, number) for document_id, number in blocks}
        for batch in in_batches(sorted(ids), DECODED):
            for i, raw in decompressed(session, _BLOCKS, session.rows(_BLOCKS, batch)).items():
                yield ids[i], codec.USAGES.decode(raw)

    def _usage_blocks(self, session: Session, document_id: int) -> list[UsageBlock]:
        first, after = document_id << BLOCK_BITS, (document_id + 1) << BLOCK_BITS
        rows = session.rows("SELECT id, data FROM usage_blocks WHERE id >= ? AND id < ? ORDER BY id", first, after)
        return [codec.USAGES.decode(raw) for raw in decompressed(session, _BLOCKS, rows).values()]

    def _parts(
        self, session: Session, column: str, documents: Collection[int], decode: Callable[[bytes], T]
    ) -> dict[int, T]:
        found: dict[int, T] = {}
        with self._lock:
            for document_id in documents:
                if (column, document_id) in self._kept:
                    self._kept.move_to_end((column, document_id))
                    found[document_id] = self._kept[column, document_id]
        absent = sorted(set(documents) - found.keys())
        for batch in in_batches(absent):
            select = _COLUMN.format(column)
            raw = decompressed(session, select, session.rows(select, batch))
            found.update((document_id, decode(data)) for document_id, data in raw.items())
        with self._lock:
            self._kept.update(((column, document_id), found[document_id]) for document_id in absent[-self._capacity :])
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return found
