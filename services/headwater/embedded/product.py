"""The composition root of the embedded product: every port with its in-process implementation."""

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Protocol, Self

from headwater.ast_chunker.parse_pool import ParsePool
from headwater.ast_chunker.stage import AstChunker, BlobReader
from headwater.clients.static_model import StaticModel
from headwater.defref_sink.stage import DefRefSink
from headwater.domain.merkle import TreeDiff
from headwater.domain.treatment import Treatment, treatment_from
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.pointers import with_own_key
from headwater.embedder.stage import Embedder
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.reconciler.stage import Reconciler
from headwater.stores.git_source import GitSource, LocalGitSource
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.streaming.in_process import InProcessRunner
from headwater.vector_sink.stage import VectorSink

PARSE_WORKERS = 2
VECTOR_SWEEP_SHARE = 10  # a tenth
BATCHES_AHEAD = 2  # analysed while earlier ones are written
BATCHES = {"ast-chunker": 64, "embedder": 256, "vector-sink": 1024, "defref-sink": 128, "reconciler": 64}


class Progress(Protocol):
    """Told how many files a run has to do, and whenever some are done."""

    def expect(self, files: int) -> None: ...

    def advance(self, files: int) -> None: ...


class Git(GitSource, BlobReader, Protocol):
    """Where a run reads repositories."""


class Product:
    """One home opened: the catalog, the vectors, the model and the pipeline between them."""

    def __init__(self, home: Home, treatment: Treatment | None = None) -> None:
        """`treatment` is HEADWATER_INDEXING_… unless given.

        Raises SettingsError, VersionMismatchError, CatalogUnavailableError.
        """
        self.home = home.make()
        self.treatment = with_own_key(treatment_from(os.environ) if treatment is None else treatment, home)
        self.model = StaticModel()
        self.catalog = SqliteCatalog(
            home.catalog,
            self.model.version,
            store_text=not self.treatment.pointers_only,
            term_key=self.treatment.term_key,
        )
        self.vectors = MmapVectorStore(home.vectors, self.model.version)
        self.git = LocalGitSource(self._location)
        self._pool = ParsePool(self.model.version, PARSE_WORKERS, rules=self.treatment.content)  # kept between runs

    def run(self, events: Iterable[CommitReceived], progress: Progress | None = None, git: Git | None = None) -> int:
        """Put the events through the pipeline until nothing is left to do; returns the tree objects visited.

        `git` is where they are read from, the registered repositories unless given.

        Raises PipelineStalledError, DivergenceError.
        """
        source = git or self.git
        visited = 0

        def observe(_view: ViewKey, diff: TreeDiff) -> None:
            nonlocal visited
            visited += diff.nodes_visited
            if progress is not None:
                progress.expect(sum(c.new is not None for c in diff.changes))

        content = self.treatment.content
        with ThreadPoolExecutor(1) as executor:
            runner = InProcessRunner(
                {
                    "merkle-differ": MerkleDiffer(self.catalog, source, observe, treatment=self.treatment),
                    "ast-chunker": AstChunker(self.model.version, source, self._pool, content),
                    "embedder": Embedder(self.catalog, self.model, self.git),
                    "vector-sink": VectorSink(self.catalog, self.vectors, self.model.version),
                    "defref-sink": DefRefSink(self.catalog),
                    "reconciler": Reconciler(self.catalog),
                },
                batches=BATCHES,
                executors={"ast-chunker": (executor, BATCHES_AHEAD)},
                pause=time.sleep,
                observer=_advance(progress),
            )
            runner.submit("commit-received", events)
            runner.drain()
        return visited

    def collect(self, thorough: bool = False) -> int:
        """Drop generations that nobody reads and, where that is much or `thorough`, their vectors; rows removed.

        Looking for vectors without an owner reads every hash, so a small commit leaves that to a later run.
        """
        removed = self.catalog.collect(1)
        if not thorough and removed * VECTOR_SWEEP_SHARE < self.vectors.count():
            return removed
        orphans = self.catalog.orphan_hashes(self.vectors.hashes())
        self.vectors.delete(orphans)
        return removed + len(orphans)

    def close(self) -> None:
        self._pool.close()
        self.vectors.close()
        self.catalog.close()

    def _location(self, repo: str) -> str | None:
        return next((r.location for r in self.catalog.repositories() if r.name == repo), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _advance(progress: Progress | None) -> Callable[[str, int], None]:
    def observe(stage: str, events: int) -> None:
        if progress is not None and stage == "defref-sink":
            progress.advance(events)

    return observe
