"""One edition of an embedded home, opened: its stores, its model and the pipeline between them."""

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from headwater.ast_chunker.parse_pool import ParsePool
from headwater.ast_chunker.stage import AstChunker, BlobReader
from headwater.clients.embedding_model import EmbeddingModel
from headwater.defref_sink.stage import DefRefSink
from headwater.domain.edition import Edition
from headwater.domain.merkle import TreeDiff
from headwater.domain.treatment import Treatment
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedder.stage import Embedder
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.reconciler.stage import Reconciler
from headwater.reconciler.vector_proof import compare_all, take_back
from headwater.stores.catalog import VersionMismatchError
from headwater.stores.git_source import GitSource
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.streaming.in_process import InProcessRunner
from headwater.vector_sink.stage import VectorSink

PARSE_WORKERS = 2
VECTOR_SWEEP_SHARE = 10  # a tenth
BATCHES_AHEAD = 2  # analysed while earlier ones are written
BATCHES = {"ast-chunker": 64, "embedder": 256, "vector-sink": 1024, "defref-sink": 128, "reconciler": 64}
ATTEMPTS = 5

log = logging.getLogger("headwater")


class Progress(Protocol):
    """Told how many files a run has to do, and whenever some are done."""

    def expect(self, files: int) -> None: ...

    def advance(self, files: int) -> None: ...


class Git(GitSource, BlobReader, Protocol):
    """Where a run reads repositories."""


class OpenEdition:
    """`unwritable` says why this program only reads it."""

    def __init__(
        self,
        edition: Edition,
        home: Home,
        model: EmbeddingModel,
        git: Git,
        treatment: Treatment,
        unwritable: str = "",
    ) -> None:
        """Raises VersionMismatchError, CatalogUnavailableError, VectorsUnavailableError."""
        self.number, self.version, self.model = edition.number, edition.version, model
        self._git, self._treatment, self._unwritable = git, treatment, unwritable
        home.make()
        self.catalog = SqliteCatalog(
            home.catalog, edition.version, store_text=not treatment.pointers_only, term_key=treatment.term_key
        )
        self.vectors = MmapVectorStore(home.vectors, edition.version)
        self._pool = ParsePool(edition.version, PARSE_WORKERS, rules=treatment.content)  # kept between runs

    def run(
        self,
        events: Iterable[CommitReceived],
        progress: Progress | None = None,
        git: Git | None = None,
        attempts: int = ATTEMPTS,
    ) -> int:
        """Put the events through the pipeline until nothing is left to do; returns the tree objects visited.

        `git` is where they are read from, the registered repositories unless given.

        Raises PipelineStalledError, DivergenceError, VersionMismatchError.
        """
        if self._unwritable:
            raise VersionMismatchError(self._unwritable)
        self.take_back_lost()
        source = git or self._git
        visited = 0

        def observe(_view: ViewKey, diff: TreeDiff) -> None:
            nonlocal visited
            visited += diff.nodes_visited
            if progress is not None:
                progress.expect(sum(c.new is not None for c in diff.changes))

        with ThreadPoolExecutor(1) as executor:
            runner = InProcessRunner(
                {
                    "merkle-differ": MerkleDiffer(self.catalog, source, observe, treatment=self._treatment),
                    "ast-chunker": AstChunker(self.version, source, self._pool, self._treatment),
                    "embedder": Embedder(self.catalog, self.model, source),
                    "vector-sink": VectorSink(self.catalog, self.vectors, self.version),
                    "defref-sink": DefRefSink(self.catalog),
                    "reconciler": Reconciler(self.catalog),
                },
                batches=BATCHES,
                executors={"ast-chunker": (executor, BATCHES_AHEAD)},
                attempts=attempts,
                pause=time.sleep,
                observer=_advance(progress),
            )
            runner.submit("commit-received", events)
            runner.drain()
        return visited

    def take_back_lost(self) -> None:
        """Vectors that were lost or altered behind our back are known to be missing afterwards: the next run of a view
        that shows them makes them again. Cheap when nothing has happened.

        Raises CatalogUnavailableError, VectorsUnavailableError.
        """
        if self._unwritable or self.vectors.is_accepted:
            return
        proof = compare_all(self.catalog, self.vectors)
        if proof.lost:
            log.warning("%d vectors are lost and made again: %s", len(proof.lost), proof.by_kind())
        take_back(self.catalog, self.vectors, proof)
        self.vectors.accept()

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


def _advance(progress: Progress | None) -> Callable[[str, int], None]:
    def observe(stage: str, events: int) -> None:
        if progress is not None and stage == "defref-sink":
            progress.advance(events)

    return observe
