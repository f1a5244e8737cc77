"""Catalogs under test, by implementation, and a rig that pushes trees of sample documents through one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import psycopg

from headwater.domain.merkle import diff_trees
from headwater.domain.tree import EMPTY_TREE
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ViewKey
from headwater.stores.catalog import Base, Catalog
from headwater.stores.git_store import GitRepository
from headwater.stores.index_reader import IndexReader, Scope
from headwater.stores.postgres_catalog import PostgresCatalog
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.git_repo import Files, RepoBuilder
from support.sample_documents import VERSION, sample_write

MAIN = ViewKey("demo", "refs/heads/main")
TOPIC = ViewKey("demo", "refs/heads/topic")


class BothSides(Catalog, IndexReader, Protocol):
    """What an implementation offers."""


class Store(Protocol):
    """Where a test's catalog lives. Called, it opens the catalog; again and again it is the same one."""

    def __call__(
        self, version: PipelineVersion = VERSION, store_text: bool = True, term_key: str = ""
    ) -> BothSides: ...

    def size(self) -> int:
        """Bytes that it takes, without room for what comes."""
        ...

    def dump(self) -> Iterator[bytes]:
        """Everything that is stored."""
        ...

    def close(self) -> None:
        """Closes every catalog that was opened, and removes what isn't in the folder."""
        ...


class SqliteStore:
    """A file in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: list[SqliteCatalog] = []

    def __call__(self, version: PipelineVersion = VERSION, store_text: bool = True, term_key: str = "") -> BothSides:
        file = self._folder / "catalog.db"
        self._opened.append(SqliteCatalog(file, version, store_text=store_text, term_key=term_key))
        return self._opened[-1]

    def size(self) -> int:
        return sum(p.stat().st_size for p in self._folder.rglob("*") if p.is_file())

    def dump(self) -> Iterator[bytes]:
        return (p.read_bytes() for p in self._folder.rglob("*") if p.is_file())

    def close(self) -> None:
        for catalog in self._opened:
            catalog.close()


class PostgresStore:
    """A schema of its own in the database at `url`."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self.name = url, f"test_{uuid4().hex[:12]}"
        self._opened: list[PostgresCatalog] = []

    def __call__(self, version: PipelineVersion = VERSION, store_text: bool = True, term_key: str = "") -> BothSides:
        opened = PostgresCatalog(self._url, version, store_text=store_text, term_key=term_key, name=self.name)
        self._opened.append(opened)
        return self._opened[-1]

    def size(self) -> int:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"VACUUM FULL {', '.join(self._tables(connection))}".encode())
            sizes = connection.execute(
                "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables WHERE schemaname = %s", [self.name]
            )
            return int(sizes.fetchall()[0][0])

    def dump(self) -> Iterator[bytes]:
        with psycopg.connect(self._url) as connection:
            for table in self._tables(connection):
                with connection.cursor().copy(f"COPY {table} TO STDOUT".encode()) as rows:
                    yield from (bytes(row) for row in rows)

    def _tables(self, connection: psycopg.Connection[tuple[Any, ...]]) -> list[str]:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [self.name])
        return [f"{self.name}.{table}" for (table,) in rows]

    def close(self) -> None:
        for catalog in self._opened:
            catalog.close()
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA IF EXISTS {self.name} CASCADE".encode())


NewStore = Callable[[Path], Store]


class CatalogRig:
    """Pushes whole trees: diff by git, generation, documents, vectors, publication."""

    def __init__(self, catalog: BothSides, folder: Path) -> None:
        self.catalog = catalog
        self.git = RepoBuilder(folder / "git")
        self.objects = GitRepository(folder / "git")

    def open(self, files: Files, view: ViewKey = MAIN, tree: str | None = None) -> int:
        """Open the generation that makes `view` exactly these files; returns its number."""
        state = self.catalog.view(view)
        base = state.opened if state else 0
        oid = str(self.git.tree(files)) if files else EMPTY_TREE
        held = state.opened_tree if state else EMPTY_TREE
        diff = diff_trees(self.catalog.tree_reader(view, base), held, self.objects, oid)
        return self.catalog.open_generation(view, base, f"{base + 1:040x}", tree or oid, 1.0, diff.changes)

    def open_over(self, files: Files, view: ViewKey, base: Base) -> int:
        """Open the generation that makes `view` exactly these files, as a layer over `base`."""
        state = self.catalog.view(view)
        opened = state.opened if state else 0
        oid = str(self.git.tree(files)) if files else EMPTY_TREE
        under = self.catalog.tree_reader(base.view, base.generation)
        root = self.catalog.root(base.view, base.generation)
        diff = diff_trees(under, root, self.objects, oid)
        return self.catalog.open_generation(view, opened, f"{opened + 1:040x}", oid, 1.0, diff.changes, over=base)

    def push_over(self, files: Files, view: ViewKey, base: Base) -> int:
        generation = self.open_over(files, view, base)
        self.put(files)
        assert self.catalog.publish(view, generation, True, 2.0)
        return generation

    def put(self, files: Files, embedded: bool = True) -> None:
        writes = [sample_write(path, content) for path, content in files.items()]
        self.catalog.put_documents(writes)
        if embedded:
            self.catalog.mark_embedded([c.content_hash for w in writes for c in w.document.chunks])

    def push(self, files: Files, view: ViewKey = MAIN) -> int:
        generation = self.open(files, view)
        self.put(files)
        assert self.catalog.publish(view, generation, True, 2.0)
        return generation

    def pin(self, views: Sequence[ViewKey] = (MAIN,)) -> AbstractContextManager[Scope]:
        return self.catalog.pin(views)
