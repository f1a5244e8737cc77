"""Catalogs under test, by implementation, and a rig that pushes trees of sample documents through one."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from headwater.domain.merkle import diff_trees
from headwater.domain.tree import EMPTY_TREE
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ViewKey
from headwater.stores.catalog import Catalog
from headwater.stores.git_store import GitRepository
from headwater.stores.index_reader import IndexReader, Scope
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.git_repo import Files, RepoBuilder
from support.sample_documents import VERSION, sample_write

MAIN = ViewKey("demo", "refs/heads/main")
TOPIC = ViewKey("demo", "refs/heads/topic")


class BothSides(Catalog, IndexReader, Protocol):
    """What an implementation offers."""


class OpenCatalog(Protocol):
    """Opens the test's catalog; again and again it is the same one."""

    def __call__(self, version: PipelineVersion = VERSION, store_text: bool = True) -> BothSides: ...


def sqlite_opener(folder: Path) -> tuple[OpenCatalog, Callable[[], None]]:
    """The opener, and what closes everything it has opened."""
    opened: list[SqliteCatalog] = []

    def open_catalog(version: PipelineVersion = VERSION, store_text: bool = True) -> BothSides:
        opened.append(SqliteCatalog(folder / "catalog.db", version, store_text=store_text))
        return opened[-1]

    def close_all() -> None:
        for catalog in opened:
            catalog.close()

    return open_catalog, close_all


OPENERS: Mapping[str, Callable[[Path], tuple[OpenCatalog, Callable[[], None]]]] = {"sqlite": sqlite_opener}


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
