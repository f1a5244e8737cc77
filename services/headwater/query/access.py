"""What one question may read: a pinned scope, the caller's grants, its filters and its deadline."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeVar

import msgspec

from headwater.domain.answer import AsOf
from headwater.domain.document import Document
from headwater.domain.grants import Grants
from headwater.query.deadline import Deadline
from headwater.query.glob import PathFilter
from headwater.query.hidden import HiddenDocuments
from headwater.query.page_token import Generations
from headwater.stores.compiled_indexes import CompiledIndexes
from headwater.stores.index_reader import DocumentRow, IndexReader, Scope, TextNotStoredError

Row = TypeVar("Row")
MAX_FETCH = 1_000_000


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


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a part of the query plane needs to answer within its bounds."""

    reader: IndexReader
    documents: DocumentCache
    scope: Scope
    grants: Grants
    paths: PathFilter
    languages: frozenset[str]
    deadline: Deadline
    hidden: HiddenDocuments
    compiled: CompiledIndexes | None = None
    whole: bool = True  # False: a selected view has not been published yet

    def admits(self, row: DocumentRow) -> bool:
        """Grants first, then the question's own filters."""
        repo = self.scope[row.snapshot].view.repo
        return self.grants.allows(repo, row.path) and self.selects(row.path, row.language)

    def may_read(self, snapshot: int, path: str) -> bool:
        return self.grants.allows(self.scope[snapshot].view.repo, path)

    def selects(self, path: str, language: str) -> bool:
        """Whether the question's filters take this file."""
        return (not self.languages or language in self.languages) and self.paths.admits(path)

    @property
    def is_filtered(self) -> bool:
        """Whether some rows of the scope may be left out."""
        return bool(self.languages) or not self.paths.is_empty or self.grants.is_restricted

    def counted(self) -> Scope:
        """The scope whose statistics count only what the caller may read."""
        return self.hidden.withheld(self.scope, self.grants)

    def as_of(self) -> tuple[AsOf, ...]:
        return tuple(AsOf(s.view.repo, s.view.ref, s.commit) for s in self.scope)

    def generations(self) -> Generations:
        return tuple((s.view.repo, s.view.ref, s.generation) for s in self.scope)

    def slice(self, row: DocumentRow, start: int, end: int) -> str:
        """Text of a byte range, "" in pointers-only mode."""
        try:
            return self.documents.text(row)[start:end].decode("utf-8", "replace")
        except TextNotStoredError:
            return ""


def fetch_admitted(fetch: Callable[[int], Sequence[Row]], admits: Callable[[Row], bool], want: int) -> list[Row]:
    """The first `want` admitted rows: fetches ever more until the source runs dry.

    `fetch(limit)` gives the first `limit` rows of one fixed order. What is not admitted changes nothing of the answer.
    """
    limit = want
    while True:
        rows = fetch(limit)
        admitted = [row for row in rows if admits(row)]
        if len(admitted) >= want or len(rows) < limit or limit >= MAX_FETCH:
            return admitted[:want]
        limit *= 8
