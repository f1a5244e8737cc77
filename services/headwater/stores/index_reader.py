"""The catalog port, read side: everything a query asks, at pinned generations."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from headwater.domain.document import Chunk, Document, Reference, Symbol
from headwater.domain.view import Refusal, ViewKey, ViewState


class Snapshot(msgspec.Struct, frozen=True):
    """A view at one published generation. While pinned, its rows are not collected.

    `hidden` documents count in no statistic and in no list of hashes; their rows may come, for the caller to drop.
    """

    view: ViewKey
    view_id: int
    generation: int
    commit: str
    tree: str
    published_at: float
    vector_complete: bool
    base_view_id: int = 0  # the view over whose generation a branch lies; 0: none
    base_generation: int = 0
    hidden: frozenset[int] = frozenset()  # ids of documents that the caller may not read


Scope = tuple[Snapshot, ...]  # what a query reads; the caller's grants have already removed whole repositories


class DocumentRow(msgspec.Struct, frozen=True, gc=False):
    """A document as one snapshot of the scope shows it."""

    snapshot: int  # index into the scope
    document_id: int
    path: str
    language: str
    generated: bool
    blob: str


class SymbolRow(msgspec.Struct, frozen=True, gc=False):
    """A non-local definition and where it is."""

    document: DocumentRow
    index: int  # into FileFacts.symbols
    symbol: Symbol


class ReferenceRow(msgspec.Struct, frozen=True, gc=False):
    """A use of a name that lexical scope alone doesn't bind to a local."""

    document: DocumentRow
    reference: Reference


class ChunkRow(msgspec.Struct, frozen=True, gc=False):
    """A chunk as one snapshot shows it; `score` is the retriever's own (higher is better)."""

    document: DocumentRow
    chunk: Chunk
    score: float = 0.0


class FileRow(msgspec.Struct, frozen=True, gc=False):
    """One tracked entry and what became of it. `status` "pending" while its document is on the way."""

    snapshot: int
    path: str
    mode: int
    blob: str
    status: str
    reason: str
    language: str
    size: int
    lines: int
    chunks: int
    warnings: tuple[str, ...] = ()


class IndexReader(Protocol):
    """Safe to use from several threads. Raises CatalogUnavailableError from any method."""

    def views(self) -> list[ViewState]:
        """The same list, not to be changed, until a view changes."""
        ...

    def pin(self, views: Sequence[ViewKey]) -> AbstractContextManager[Scope]:
        """The published generations of these views at one instant; unknown and unpublished views are left out."""
        ...

    def symbols_named(self, scope: Scope, names: Sequence[str], limit: int) -> list[SymbolRow]:
        """Non-local definitions with exactly one of these names, in (snapshot, path, line) order."""
        ...

    def names_folded(self, name: str, limit: int) -> list[str]:
        """Defined names equal but for case."""
        ...

    def names_containing(self, part: str, limit: int) -> list[str]:
        """Defined names that contain `part`, ignoring case, shortest first; exact like a full scan of names."""
        ...

    def names_with_parts(self, parts: Sequence[str], limit: int) -> list[str]:
        """Defined names whose sub-tokens contain `parts` as a consecutive run, shortest first."""
        ...

    def references_named(self, scope: Scope, names: Sequence[str]) -> list[ReferenceRow]:
        """Every non-local reference and import with one of these names: complete, in (snapshot, path, line) order."""
        ...

    def documents_importing(self, scope: Scope, name: str) -> list[DocumentRow]:
        """Documents in which an import binds the member `name` (whatever its alias)."""
        ...

    def lexical(self, scope: Scope, terms: Sequence[str], limit: int) -> list[ChunkRow]:
        """BM25 over sub-tokens of names, header and body (fields weighted), best first, ties by content hash.

        Statistics count only what the scope shows. `limit` counts contents: each comes with every place in the scope.
        """
        ...

    def chunks_of(self, scope: Scope, hashes: Sequence[str]) -> list[ChunkRow]:
        """Where the scope shows these content hashes; a hash may have several places or none."""
        ...

    def chunk_hashes(self, scope: Scope, limit: int) -> list[str] | None:
        """Content hashes that the scope shows if they are at most `limit`, else None (too many to list)."""
        ...

    def documents_containing(self, scope: Scope, literals: Sequence[str]) -> list[DocumentRow]:
        """A superset of the documents whose text contains every literal, ignoring case, by trigrams.

        Literals under three characters don't narrow; no literals, or only short ones, give every indexed document.
        """
        ...

    def text(self, document_id: int) -> str:
        """The UTF-8 text that the document's spans refer to. Raises TextNotStoredError in pointers-only mode."""
        ...

    def document(self, document_id: int) -> Document:
        """The whole document with facts and chunks."""
        ...

    def refusals(self) -> dict[ViewKey, Refusal]:
        """Of refs whose newest commit can't be taken in."""
        ...

    def files(self, scope: Scope, path: str = "") -> list[FileRow]:
        """The entries at `path` (a file, or everything below a folder), in path order."""
        ...

    def document_at(self, scope: Scope, path: str) -> list[DocumentRow]:
        """The indexed document at exactly this path, in each snapshot that has it."""
        ...

    def parked_in(self, scope: Scope, limit: int) -> list[tuple[int, str]]:
        """(snapshot, path) of the first files that couldn't be read from git, in one fixed order."""
        ...

    def folders_named(self, scope: Scope, name: str, holding: str) -> list[str]:
        """Paths of the folders with this last component that hold an entry `holding` in some snapshot, in order."""
        ...


class TextNotStoredError(Exception):
    """Pointers-only mode: the text is to be had from the git host."""
