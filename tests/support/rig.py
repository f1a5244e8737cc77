"""A whole index in a folder, with the pipeline's stages open to chaos."""

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.ast_chunker.stage import AstChunker
from headwater.clients.static_model import StaticModel
from headwater.defref_sink.stage import DefRefSink
from headwater.domain.treatment import Treatment
from headwater.embedded.home import Home
from headwater.embedder.stage import Embedder
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.reconciler.stage import Reconciler
from headwater.stores.catalog import Catalog, Repository
from headwater.stores.git_source import LocalGitSource
from headwater.stores.mmap_vectors import MmapVectorStore
from headwater.stores.sqlite_catalog import SqliteCatalog
from headwater.streaming.in_process import InProcessRunner
from headwater.streaming.stage import Stage
from headwater.vector_sink.stage import VectorSink
from support.catalogs import BothSides, Store
from support.chaos import ChaosStage, CrashError

MODEL = StaticModel()
REPO = "r"
DEFAULT = Treatment()


class Rig:
    """The embedded product without worker processes, on its own catalog or on that of a store."""

    def __init__(
        self, folder: Path, repository: Path, treatment: Treatment = DEFAULT, store: Store | None = None
    ) -> None:
        self.treatment, self.home = treatment, Home(folder)
        self.catalog: BothSides = store(MODEL.version) if store else SqliteCatalog(folder / "catalog.db", MODEL.version)
        self.vectors = MmapVectorStore(folder / "vectors", MODEL.version)
        self.catalog.add_repository(Repository(REPO, str(repository)))
        self.git = LocalGitSource({REPO: str(repository)}.get)

    @property
    def live(self) -> "Rig":
        return self

    def take_back_lost(self) -> None:
        """Its vectors are compared by the tests that damage them."""

    def stages(self) -> dict[str, Stage[Any]]:
        catalog: Catalog = self.catalog
        stages: Sequence[Stage[Any]] = (
            MerkleDiffer(catalog, self.git, treatment=self.treatment),
            AstChunker(MODEL.version, self.git, InProcessAnalyser(MODEL.version), self.treatment),
            Embedder(catalog, MODEL),
            VectorSink(catalog, self.vectors, MODEL.version),
            DefRefSink(catalog),
            Reconciler(catalog),
        )
        return {s.name: s for s in stages}

    def run(self, events: Sequence[CommitReceived]) -> None:
        """Without chaos."""
        runner = InProcessRunner(self.stages())
        runner.submit("commit-received", events)
        runner.drain()
        assert runner.dead_letters == []

    def run_in_chaos(self, events: Sequence[CommitReceived], dice: random.Random) -> int:
        """Each crash loses all queues and the events are sent again, in any order; returns the crashes survived."""
        crashes = 0
        while True:
            crash = 0.15 if crashes < 5 else 0.0
            stages = {n: ChaosStage(s, dice, crash, 0.2) for n, s in self.stages().items()}
            runner = InProcessRunner(stages, batches=dict.fromkeys(stages, dice.randint(1, 4)))
            runner.submit("commit-received", dice.sample(list(events), len(events)))
            try:
                runner.drain()
            except CrashError:
                crashes += 1
                continue
            return crashes

    def close(self) -> None:
        self.catalog.close()


def received(ref: str, after: str = "") -> CommitReceived:
    return CommitReceived(repo=REPO, ref=ref, after=after, pushed_at=time.time(), cause="poll")
