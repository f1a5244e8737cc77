"""`Catalog` on a relational database: each method is one transaction."""

from collections.abc import Iterable, Sequence

from headwater.domain.merkle import EntryChange
from headwater.domain.tree import EMPTY_TREE, TreeReader
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ChunkCounts, FileCounts, Refusal, ViewKey, ViewState
from headwater.stores.catalog import (
    Base,
    Damage,
    DocumentWrite,
    Missing,
    Overlay,
    Proof,
    Repository,
    StaleGenerationError,
    TakenBack,
    VersionMismatchError,
)
from headwater.stores.relational import collection, documents, progress, proving, views
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.layers import Layer, layers_of
from headwater.stores.relational.manifest import ManifestTree, stored_root, write_generation
from headwater.stores.relational.pins import Pins


class RelationalCatalog:
    """The write side. `store_text` False is pointers-only mode: no text is kept, and no term without `term_key`."""

    def __init__(
        self, database: Database, pins: Pins, version: PipelineVersion, store_text: bool, term_key: str
    ) -> None:
        self._database, self._pins = database, pins
        self._version, self._store_text, self._term_key = str(version), store_text, term_key
        self._states = views.ViewStates()

    def add_repository(self, repository: Repository) -> None:
        self._database.write(lambda session: views.add_repository(session, repository))

    def repositories(self) -> list[Repository]:
        with self._database.read() as session:
            return views.repositories(session)

    def remove_repository(self, name: str) -> None:
        self._database.write(lambda session: views.remove_repository(session, name))

    def view(self, view: ViewKey) -> ViewState | None:
        with self._database.read() as session:
            return views.view_state(session, view)

    def views(self) -> list[ViewState]:
        with self._database.read() as session:
            return self._states.current(session)

    def open_generation(
        self,
        view: ViewKey,
        base: int,
        commit: str,
        tree: str,
        pushed_at: float,
        changes: Sequence[EntryChange],
        rules: str = "",
        over: Base | None = None,
    ) -> int:
        def work(session: Session) -> int:
            view_id, generation = views.advance(session, view, base, commit, tree, pushed_at, rules)
            under = views.base_of(session, over) if over else None
            write_generation(session, view_id, generation, changes, self._version, under)
            return generation

        return self._database.write(work)

    def overlay(self, view: ViewKey) -> Overlay | None:
        with self._database.read() as session:
            return views.overlay(session, view)

    def refuse(self, refusal: Refusal) -> None:
        self._database.write(lambda session: views.refuse(session, refusal))

    def refusals(self) -> dict[ViewKey, Refusal]:
        with self._database.read() as session:
            return views.refusals(session)

    def entry_count(self, view: ViewKey, generation: int) -> int:
        with self._database.read() as session:
            return views.entry_count(session, _layers(session, view, generation))

    def delete_view(self, view: ViewKey) -> None:
        self._database.write(lambda session: views.delete_view(session, view))

    def tree_reader(self, view: ViewKey, generation: int) -> TreeReader:
        with self._database.read() as session:
            return ManifestTree(self._database, views.live_view_id(session, view), generation)

    def root(self, view: ViewKey, generation: int) -> str:
        with self._database.read() as session:
            view_id = views.live_view_id(session, view)
            return EMPTY_TREE if view_id is None else stored_root(session, layers_of(session, view_id, generation))

    def known(self, keys: Sequence[str]) -> set[str]:
        with self._database.read() as session:
            return documents.known(session, keys)

    def put_documents(self, writes: Sequence[DocumentWrite]) -> None:
        for write in writes:
            if write.document.version != self._version:
                raise VersionMismatchError(
                    f"document {write.document.path} was made by {write.document.version},"
                    f" the catalog holds {self._version}: build a shadow index instead"
                )
        self._database.write(
            lambda s: documents.put_documents(self._database, s, writes, self._store_text, self._term_key)
        )

    def mark_embedded(self, hashes: Sequence[str]) -> None:
        self._database.write(lambda session: progress.mark_embedded(session, hashes))

    def unmark_embedded(self, hashes: Sequence[str]) -> None:
        self._database.write(lambda session: progress.unmark_embedded(session, hashes))

    def marked(self, after: str, limit: int) -> list[str]:
        with self._database.read() as session:
            return progress.marked(session, after, limit)

    def embedded(self, hashes: Sequence[str]) -> set[str]:
        with self._database.read() as session:
            return progress.embedded(session, hashes)

    def missing(self, view: ViewKey, generation: int, limit: int) -> Missing:
        with self._database.read() as session:
            return progress.missing(session, _layers(session, view, generation), limit)

    def parked(self, view: ViewKey, generation: int) -> tuple[str, ...]:
        with self._database.read() as session:
            return progress.parked(session, _layers(session, view, generation))

    def publish(self, view: ViewKey, generation: int, vector_complete: bool, published_at: float) -> bool:
        return self._database.write(lambda s: views.publish(s, view, generation, vector_complete, published_at))

    def file_counts(self, view: ViewKey, generation: int) -> FileCounts:
        with self._database.read() as session:
            return progress.file_counts(session, _layers(session, view, generation))

    def unembedded(self, view: ViewKey, generation: int) -> int:
        with self._database.read() as session:
            return progress.unembedded(session, _layers(session, view, generation))

    def chunk_counts(self, view: ViewKey, before: int, generation: int) -> ChunkCounts:
        with self._database.read() as session:
            return progress.chunk_counts(session, _layers(session, view, before), _layers(session, view, generation))

    def prove(self, after: int, limit: int) -> Proof:
        with self._database.read() as session:
            return proving.prove_some(session, after, limit, self._store_text, self._term_key)

    def prove_folders(self, after: int, limit: int) -> tuple[set[ViewKey], int]:
        with self._database.read() as session:
            return proving.prove_folders(session, after, limit)

    def prove_all(self) -> Proof:
        with self._database.read() as session:
            return proving.prove_all(self._database, session, self._store_text, self._term_key)

    def take_back(self, damages: Sequence[Damage]) -> TakenBack:
        return self._database.write(lambda session: proving.take_back_damaged(self._database, session, damages))

    def collect(self, keep: int) -> int:
        def work(session: Session) -> int:
            return collection.collect(self._database, session, keep, self._pins.held())

        removed = self._database.write(work, alone=True)
        if removed:
            self._database.compact()
        return removed

    def unreferenced(self) -> int:
        with self._database.read() as session:
            return collection.unreferenced(session)

    def size(self) -> int:
        return self._database.size()

    def orphan_hashes(self, hashes: Iterable[str]) -> list[str]:
        with self._database.read() as session:
            return progress.orphan_hashes(session, hashes)

    def close(self) -> None:
        self._pins.close()
        self._database.close()


def _layers(session: Session, view: ViewKey, generation: int) -> tuple[Layer, ...]:
    found = views.live_view_id(session, view)
    if found is None:
        raise StaleGenerationError(f"{view.repo} has no view {view.ref} (any more): read the views again")
    return layers_of(session, found, generation)
