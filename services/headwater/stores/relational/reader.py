"""`IndexReader` on a relational database: each method is one consistent read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from headwater.domain.document import Document
from headwater.domain.terms import keyed_term
from headwater.domain.view import ViewKey, ViewState
from headwater.stores.catalog import CatalogCorruptError
from headwater.stores.index_reader import ChunkRow, DocumentRow, FileRow, ReferenceRow, Scope, Snapshot, SymbolRow
from headwater.stores.relational import listing, lookup, retrieval, views
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.layers import owners
from headwater.stores.relational.pins import Pins
from headwater.stores.relational.rows import Bodies

_SNAPSHOT = """
SELECT v.id, v.published, g.commit_id, g.tree, v.published_at, v.vector_complete,
  g.base_view, g.base_generation
FROM views v JOIN generations g ON g.view = v.id AND g.generation = v.published
WHERE v.repo = ? AND v.ref = ? AND v.deleted = 0 AND v.published > 0"""

_VERIFY = "run 'headwater verify', or ask AdminService.VerifyViews"


class RelationalReader:
    """The read side, safe to use from several threads."""

    def __init__(self, database: Database, pins: Pins, store_text: bool, term_key: str) -> None:
        self._database, self._pins = database, pins
        self._store_text, self._term_key = store_text, term_key
        self._bodies = Bodies()
        self._states = views.ViewStates()
        self._visible = retrieval.Visible()

    def views(self) -> list[ViewState]:
        with self._database.read() as session:
            return self._states.current(session)

    @contextmanager
    def pin(self, views: Sequence[ViewKey]) -> Iterator[Scope]:
        scope = self._hold(views)
        try:
            yield scope
        finally:
            self._pins.release(owners(scope))

    def symbols_named(self, scope: Scope, names: Sequence[str], limit: int) -> list[SymbolRow]:
        with self._coherent() as session:
            return lookup.symbols_named(session, self._bodies, scope, names, limit)

    def names_folded(self, name: str, limit: int) -> list[str]:
        with self._coherent() as session:
            return self._database.names.folded(session, name, limit)

    def names_containing(self, part: str, limit: int) -> list[str]:
        with self._coherent() as session:
            return self._database.names.containing(session, part, limit)

    def names_with_parts(self, parts: Sequence[str], limit: int) -> list[str]:
        with self._coherent() as session:
            return self._database.names.with_parts(session, parts, limit)

    def references_named(self, scope: Scope, names: Sequence[str]) -> list[ReferenceRow]:
        with self._coherent() as session:
            return lookup.references_named(session, self._bodies, scope, names)

    def documents_importing(self, scope: Scope, name: str) -> list[DocumentRow]:
        with self._coherent() as session:
            return lookup.documents_importing(session, scope, name)

    def lexical(self, scope: Scope, terms: Sequence[str], limit: int) -> list[ChunkRow]:
        spelled = [keyed_term(term.lower(), self._term_key) for term in terms]
        with self._coherent() as session:
            return retrieval.lexical(session, self._visible, self._bodies, scope, spelled, limit)

    def chunks_of(self, scope: Scope, hashes: Sequence[str]) -> list[ChunkRow]:
        with self._coherent() as session:
            return retrieval.chunks_of(session, self._bodies, scope, hashes)

    def chunk_hashes(self, scope: Scope, limit: int) -> list[str] | None:
        with self._coherent() as session:
            return retrieval.chunk_hashes(session, self._visible, scope, limit)

    def documents_containing(self, scope: Scope, literals: Sequence[str]) -> list[DocumentRow]:
        narrowing = literals if self._store_text else ()
        with self._coherent() as session:
            return listing.documents_containing(self._database, session, scope, narrowing)

    def text(self, document_id: int) -> str:
        with self._coherent() as session:
            return listing.text(session, document_id)

    def document(self, document_id: int) -> Document:
        with self._coherent() as session:
            return listing.document(session, self._bodies, document_id)

    def files(self, scope: Scope, path: str = "") -> list[FileRow]:
        with self._coherent() as session:
            return listing.files(session, scope, path)

    def document_at(self, scope: Scope, path: str) -> list[DocumentRow]:
        with self._coherent() as session:
            return listing.document_at(session, scope, path)

    def parked_in(self, scope: Scope, limit: int) -> list[tuple[int, str]]:
        with self._database.read() as session:
            return listing.parked(session, scope, limit)

    def folders_named(self, scope: Scope, name: str, holding: str) -> list[str]:
        with self._coherent() as session:
            return listing.folders_named(session, scope, name, holding)

    @contextmanager
    def _coherent(self) -> Iterator[Session]:
        """A session; rows that don't fit together are named as what they are."""
        with self._database.read() as session:
            try:
                yield session
            except (KeyError, IndexError, UnicodeDecodeError) as error:
                raise CatalogCorruptError(f"the catalog's rows don't fit together: {_VERIFY}") from error

    def _hold(self, wanted: Sequence[ViewKey]) -> Scope:
        """Hold first, then look again: a generation that was superseded in between might be collected already."""
        scope = self._published(wanted)
        while True:
            self._pins.hold(owners(scope))
            again = self._published(wanted)
            if owners(again) == owners(scope):
                return again
            self._pins.release(owners(scope))
            scope = again

    def _published(self, wanted: Sequence[ViewKey]) -> Scope:
        with self._coherent() as session:
            return tuple(s for view in dict.fromkeys(wanted) if (s := _snapshot(session, view)) is not None)


def _snapshot(session: Session, view: ViewKey) -> Snapshot | None:
    rows = session.rows(_SNAPSHOT, view.repo, view.ref)
    if not rows:
        return None
    view_id, generation, commit, tree, published_at, vector_complete, base_view, base_generation = rows[0]
    complete = bool(vector_complete)
    return Snapshot(view, view_id, generation, commit, tree, published_at, complete, base_view, base_generation)
