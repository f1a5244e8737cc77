"""Recently read documents of the catalog and their texts, shared by all questions."""

from collections import OrderedDict
from threading import Lock

from headwater.domain.document import Document
from headwater.stores.index_reader import DocumentRow, IndexReader


class DocumentCache:
    """Texts and facts of recently read documents; they are immutable, so nothing is ever stale."""

    def __init__(self, reader: IndexReader, max_bytes: int = 64 << 20, max_documents: int = 512) -> None:
        self._reader, self._max_bytes, self._max_documents = reader, max_bytes, max_documents
        self._texts: OrderedDict[tuple[int, str], bytes] = OrderedDict()
        self._documents: OrderedDict[tuple[int, str], Document] = OrderedDict()
        self._bytes, self._lock = 0, Lock()

    def text(self, row: DocumentRow) -> bytes:
        """UTF-8. Raises TextNotStoredError."""
        key = (row.document_id, row.blob)
        with self._lock:
            if (found := self._texts.get(key)) is not None:
                self._texts.move_to_end(key)
                return found
        text = self._reader.text(row.document_id).encode("utf-8", "surrogatepass")
        with self._lock:
            if key not in self._texts:
                self._texts[key] = text
                self._bytes += len(text)
            while self._bytes > self._max_bytes and len(self._texts) > 1:
                self._bytes -= len(self._texts.popitem(last=False)[1])
        return text

    def document(self, row: DocumentRow) -> Document:
        key = (row.document_id, row.blob)
        with self._lock:
            if (found := self._documents.get(key)) is not None:
                self._documents.move_to_end(key)
                return found
        document = self._reader.document(row.document_id)
        with self._lock:
            self._documents[key] = document
            while len(self._documents) > self._max_documents:
                self._documents.popitem(last=False)
        return document
