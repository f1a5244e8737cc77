"""The catalog port, write side: views, generations, manifests and documents."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from headwater.domain.document import Document
from headwater.domain.merkle import EntryChange
from headwater.domain.terms import Terms
from headwater.domain.tree import TreeReader
from headwater.domain.view import ChunkCounts, FileCounts, Refusal, ViewKey, ViewState


class Repository(msgspec.Struct, frozen=True):
    """A repository under its unique name; `location` is a path or URL that the git store understands."""

    name: str
    location: str
    paused: bool = False


class DocumentWrite(msgspec.Struct, frozen=True):
    """A document with the text that its spans refer to (None for skipped and parked files).

    `terms` are each chunk's, as the index spells them, where the text itself does not travel (pointers-only mode).
    """

    document: Document
    text: str | None
    terms: Terms = ()


class Damage(msgspec.Struct, frozen=True):
    """What is not as it was written: in which table (the first that is wrong), and of which document or index row."""

    table: str
    id: int
    path: str = ""


class Proof(msgspec.Struct, frozen=True):
    """What was found of a part of the catalog; `last` is where the next look begins, 0 at the end."""

    documents: int
    damages: tuple[Damage, ...]
    last: int = 0


class TakenBack(msgspec.Struct, frozen=True):
    """The paths that have to be made again, and the views whose manifests lead to no or another file's document."""

    paths: tuple[str, ...]
    views: tuple[ViewKey, ...]


class Missing(msgspec.Struct, frozen=True):
    """The manifest paths that a generation still waits for, by side."""

    paths: tuple[str, ...]  # no document yet (a parked one counts as there: a bad file never stops the rest)
    unembedded: tuple[str, ...]  # its document has a content hash without a vector


class Base(msgspec.Struct, frozen=True):
    """A generation of a view that lies over no other, for branches to lie over; it needn't be complete yet."""

    view: ViewKey
    generation: int


class Overlay(msgspec.Struct, frozen=True):
    """How a branch view is stored: its base, and the number of places (files and folders) where it differs."""

    base: Base
    places: int


class Catalog(Protocol):
    """One writer at a time (SQLite: a lease with fencing) or many (PostgreSQL); readers are never blocked.

    All writes are idempotent.
    """

    def add_repository(self, repository: Repository) -> None:
        """Insert or update by name."""
        ...

    def repositories(self) -> list[Repository]: ...

    def remove_repository(self, name: str) -> None: ...

    def view(self, view: ViewKey) -> ViewState | None: ...

    def views(self) -> list[ViewState]: ...

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
        """Write the manifest of generation base + 1 and return its number.

        Compare-and-set: `base` must be the view's newest opened generation, else StaleGenerationError. Each change's
        new entry is joined to the document key of the catalog's pipeline version and the change's variant, an unchanged
        entry too if that is another document. Directory rows along the changed paths are rehashed, so that the
        manifest's own root is known (see `root`). `rules` names the treatment and is kept with the generation.

        With `over`, the changes are to that base, and the view becomes a layer over it that holds only them; the base's
        generation stays until nothing needs it. Without, the view stays over the base that it has. Raises
        StaleGenerationError when the base is gone or is no base.
        """
        ...

    def overlay(self, view: ViewKey) -> Overlay | None:
        """What the view's newest opened generation lies over; None when it stands by itself."""
        ...

    def refuse(self, refusal: Refusal) -> None:
        """Remembered until another commit of the ref is opened, or the ref is gone."""
        ...

    def refusals(self) -> dict[ViewKey, Refusal]: ...

    def entry_count(self, view: ViewKey, generation: int) -> int:
        """Files and folders in the manifest, counted at most twice where a branch differs from its base."""
        ...

    def delete_view(self, view: ViewKey) -> None:
        """The ref is gone: readers stop seeing it at once, `view` knows it no more; made again, it starts at 1."""
        ...

    def tree_reader(self, view: ViewKey, generation: int) -> TreeReader:
        """The manifest as trees, for `diff_trees`; it knows directories by path and ignores ids."""
        ...

    def root(self, view: ViewKey, generation: int) -> str:
        """Root tree id recomputed from the manifest's directory rows of that generation."""
        ...

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those document keys whose document is present and not parked."""
        ...

    def put_documents(self, writes: Sequence[DocumentWrite]) -> None:
        """Durable when it returns. Raises CatalogUnavailableError (disk full, connection lost, locked)."""
        ...

    def mark_embedded(self, hashes: Sequence[str]) -> None:
        """These content hashes have a vector under the catalog's model."""
        ...

    def unmark_embedded(self, hashes: Sequence[str]) -> None:
        """These content hashes turned out to have no vector: their documents are `missing` again.

        Views that show them have no complete vectors any more, until they are published with them again.
        """
        ...

    def marked(self, after: str, limit: int) -> list[str]:
        """The next content hashes marked as embedded, in their order; "" comes before the first."""
        ...

    def embedded(self, hashes: Sequence[str]) -> set[str]:
        """Those of `hashes` marked as embedded."""
        ...

    def missing(self, view: ViewKey, generation: int, limit: int) -> Missing:
        """At most `limit` of each; both empty when the generation is complete."""
        ...

    def parked(self, view: ViewKey, generation: int) -> tuple[str, ...]:
        """Paths whose document is parked, to be tried again. A later document of the same key replaces a parked one."""
        ...

    def publish(self, view: ViewKey, generation: int, vector_complete: bool, published_at: float) -> bool:
        """Compare-and-set in one transaction: only forward, and only if `root` equals the commit's tree.

        Publishing the published generation again may only turn `vector_complete` on. Returns whether readers now see
        `generation`. Raises DivergenceError when the root differs.
        """
        ...

    def file_counts(self, view: ViewKey, generation: int) -> FileCounts: ...

    def unembedded(self, view: ViewKey, generation: int) -> int:
        """Content hashes of a generation that have no vector (any more)."""
        ...

    def chunk_counts(self, view: ViewKey, before: int, generation: int) -> ChunkCounts:
        """`total` at `generation`; the others compare with generation `before`."""
        ...

    def prove(self, after: int, limit: int) -> Proof:
        """Recompute what every table should hold of the next `limit` documents, and compare."""
        ...

    def prove_folders(self, after: int, limit: int) -> tuple[set[ViewKey], int]:
        """Compare the id of each of the next `limit` folders with its entries.

        Gives the views where one differs, and where the next look begins (0 at the end). A view that lies over another
        is not looked at.
        """
        ...

    def prove_all(self) -> Proof:
        """Every document, the places that manifests give them, and the indexes by word, trigram and name."""
        ...

    def take_back(self, damages: Sequence[Damage]) -> TakenBack:
        """Damaged documents are as though they had never come.

        Indexes that need nothing from git are mended at once.
        """
        ...

    def collect(self, keep: int) -> int:
        """Drop generations older than the newest `keep` published ones that nobody pins, and what only they used.

        Returns the number of rows removed.
        """
        ...

    def unreferenced(self) -> int:
        """Rows that no manifest refers to (what `collect` would remove)."""
        ...

    def size(self) -> int:
        """Bytes on disk, indexes included."""
        ...

    def orphan_hashes(self, hashes: Iterable[str]) -> list[str]:
        """Those content hashes that no document holds: their vectors can go."""
        ...

    def close(self) -> None: ...


class CatalogUnavailableError(Exception):
    """The catalog can't be used now: disk full, connection lost, lock held. Retry; never treat as corruption."""


class CatalogCorruptError(Exception):
    """The catalog's file is damaged; the message says what to do."""


class StaleGenerationError(Exception):
    """Another writer opened a generation first: read the view again."""


class DivergenceError(Exception):
    """The manifest's root is not the commit's tree."""


class VersionMismatchError(Exception):
    """The catalog was made with another model, dimension or chunker: build a shadow index instead."""
