"""Reading documents as a scope shows them: the join that decides visibility, and bodies decoded once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from headwater.domain.document import Chunk, Document, Reference, Symbol
from headwater.stores.index_reader import DocumentRow
from headwater.stores.relational import codec
from headwater.stores.relational.codec import UsageBlock
from headwater.stores.relational.database import Session
from headwater.stores.relational.document_rows import BLOCK_BITS, whole
from headwater.stores.relational.layers import UNMASKED

T = TypeVar("T")

# joins entries to the scope and the document; goes after a table whose `document` is `{0}`
SHOWN = f"""CROSS JOIN entries e CROSS JOIN @scope s CROSS JOIN documents d
WHERE e.document = {{0}} AND s.view = e.view AND e.from_generation <= s.generation AND e.to_generation > s.generation
  AND d.id = e.document AND {UNMASKED}"""
DOCUMENT = "s.i, d.id, d.path, d.language, d.generated, lower(hex(d.blob))"
DOCUMENT_WIDTH = 6


def document_row(row: Sequence[Any]) -> DocumentRow:
    """From the columns of DOCUMENT."""
    snapshot, document_id, path, language, generated, blob = row[:DOCUMENT_WIDTH]
    return DocumentRow(snapshot, document_id, path, language, bool(generated), blob)


class Bodies:
    """Decoded parts of documents, the latest kept: documents are immutable once indexed."""

    def __init__(self, capacity: int = 256) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._lock = threading.Lock()

    def symbols(self, session: Session, document_id: int) -> tuple[Symbol, ...]:
        return self._part(session, "symbols", document_id, codec.SYMBOLS.unpack)

    def chunks(self, session: Session, document_id: int) -> tuple[Chunk, ...]:
        return self._part(session, "chunks", document_id, codec.CHUNKS.unpack)

    def document(self, session: Session, document_id: int) -> Document | None:
        """None when there is no such document or it is pending."""
        rows = session.rows("SELECT head, split, symbols, chunks FROM bodies WHERE document = ?", document_id)
        if not rows:
            return None
        head, split, symbols, chunks = rows[0]
        blocks = self._usage_blocks(session, document_id) if split else None
        return whole(codec.HEAD.unpack(head), codec.SYMBOLS.unpack(symbols), codec.CHUNKS.unpack(chunks), blocks)

    def usages(self, session: Session, document_id: int, block: int, name: str) -> tuple[Reference, ...]:
        rows = session.rows("SELECT data FROM usage_blocks WHERE id = ?", (document_id << BLOCK_BITS) | block)
        return codec.USAGES.unpack(rows[0][0]).of(name)

    def _usage_blocks(self, session: Session, document_id: int) -> list[UsageBlock]:
        first, after = document_id << BLOCK_BITS, (document_id + 1) << BLOCK_BITS
        rows = session.rows("SELECT data FROM usage_blocks WHERE id >= ? AND id < ?", first, after)
        return [codec.USAGES.unpack(data) for (data,) in rows]

    def _part(self, session: Session, column: str, document_id: int, decode: Callable[[bytes], T]) -> T:
        key = (column, document_id)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        rows = session.rows(f"SELECT {column} FROM bodies WHERE document = ?", document_id)
        part = decode(rows[0][0])
        with self._lock:
            self._kept[key] = part
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return part
