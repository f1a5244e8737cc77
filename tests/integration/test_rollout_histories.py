"""Pushes and rollout steps in any order, with a crash at any durable write: nothing is lost, and the end is exact."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.clients.embedding_model import EmbeddingModel
from headwater.clients.static_model import WEIGHTS as OWN_WEIGHTS
from headwater.clients.static_model import StaticModel
from headwater.domain.edition import Edition, Gate, Phase, RolloutRefusedError
from headwater.domain.treatment import ContentRules, Treatment
from headwater.domain.version import PipelineVersion
from headwater.domain.view import ViewKey
from headwater.embedded import open_edition
from headwater.embedded.catching_up import catch_up
from headwater.embedded.comparison import IndexedTree, differences
from headwater.embedded.home import Home
from headwater.embedded.home_editions import HomeEditions
from headwater.embedded.models import WEIGHTS, OneModel, StaticModels
from headwater.embedded.open_edition import OpenEdition
from headwater.embedded.product import BEHIND, Product
from headwater.embedded.watching import look
from headwater.rollout.operations import Rollout
from headwater.stores.catalog import Repository
from headwater.stores.git_store import GitRepository
from support.faults import Fuse, PowerCut, fused
from support.git_repo import Files, RepoBuilder
from support.histories import trees
from support.weights import shorter_model

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a power cut is simulated: nothing needs a disk
REPO, REFS = "r", ("refs/heads/main", "refs/heads/topic")
RULES = Treatment()


class Analyser(InProcessAnalyser):
    """In place of the pool of worker processes."""

    def __init__(self, version: PipelineVersion, _workers: int, rules: ContentRules) -> None:
        super().__init__(version, rules)

    def close(self) -> None: ...


@cache
def weights(dimensions: int) -> Path:
    return shorter_model(Path(tempfile.mkdtemp(prefix="headwater-weights-")) / str(dimensions), dimensions)


@cache
def model(folder: Path) -> StaticModel:
    return StaticModel(folder)


class Models(StaticModels):
    """Read once for all tests."""

    @property
    def own(self) -> StaticModel:  # type: ignore[override]
        return model(OWN_WEIGHTS)

    def of(self, edition: Edition, home: Home) -> EmbeddingModel:
        if WEIGHTS in edition.source:
            assert (home.weights / "card.json").exists()
        return model(Path(edition.source[WEIGHTS])) if WEIGHTS in edition.source else self.own


@dataclass(frozen=True)
class Step:
    """`crash` counts moments of durable writes until the power is cut (0: it isn't); then the step may be repeated."""

    kind: str
    ref: str
    tree: Files
    dimensions: int
    passes: bool
    crash: int
    again: bool


KINDS = (
    *(("push",), ("push", "follow"), ("push", "push", "follow"), ("delete", "follow"), ("follow",)),
    *(("start",), ("start", "gate", "cutover"), ("start", "cutover"), ("gate",), ("cutover",)),
    *(("rollback",), ("cutover", "rollback"), ("rollback", "release"), ("release",), ("release", "start")),
)


def _step(kind: str) -> st.SearchStrategy[Step]:
    """In capitals: forced, and repeated after a crash."""
    return st.builds(
        Step,
        kind=st.just(kind.lower()),
        ref=st.sampled_from(REFS),
        tree=trees,
        dimensions=st.sampled_from([16, 24]),
        passes=st.just(False) if kind.isupper() else st.sampled_from([True, True, False]),
        crash=st.one_of(st.just(0), st.integers(1, 40)),
        again=st.just(True) if kind.isupper() else st.booleans(),
    )


RUNS = st.lists(st.sampled_from(KINDS), max_size=3).map(lambda runs: [kind for run in runs for kind in run])
SPINES = st.sampled_from([(), ("START", "CUTOVER", "ROLLBACK"), ("START", "CUTOVER", "ROLLBACK", "CUTOVER", "RELEASE")])
STEPS = (
    SPINES.flatmap(lambda spine: st.tuples(*(RUNS.map(lambda run, kind=kind: [*run, kind]) for kind in spine), RUNS))
    .map(lambda parts: [kind for part in parts for kind in part])
    .flatmap(lambda kinds: st.tuples(*map(_step, kinds)))
)


class World:
    """One home over one repository; every step is a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, Home(folder / "home")
        self.git = RepoBuilder(folder / "r.git")
        self.git.commit({"a.py": b"def first():\n    pass\n"})
        self.shown: dict[ViewKey, str] = {}
        self.reached: set[str] = set()
        with self.product() as product:
            product.catalog.add_repository(Repository(REPO, str(self.git.path)))
            self.follow(product)

    def product(self) -> Product:
        return Product(self.home, RULES, Models())

    def take(self, step: Step, fuse: Fuse) -> None:
        """A step, maybe cut off and maybe repeated; what is refused changes nothing."""
        if step.kind in ("push", "delete"):
            return self.change(step)
        fuse.left = step.crash
        for _attempt in range(2):
            try:
                with self.product() as product:
                    self.act(step, product)
                    fuse.left = 0
                break
            except PowerCut:
                if not step.again:
                    break
        fuse.left = 0
        with self.product() as product:
            self.check_answers(product)
        return None

    def change(self, step: Step) -> None:
        if step.kind == "push":
            self.git.commit(step.tree, step.ref)
        elif step.ref != REFS[0] and GitRepository(self.git.path).commit_of(step.ref):
            self.git.delete(step.ref)

    def act(self, step: Step, product: Product) -> None:
        rollout = Rollout(product.registry, HomeEditions(product))
        try:
            match step.kind:
                case "follow":
                    self.follow(product)
                case "start":
                    folder = weights(step.dimensions)
                    rollout.start(model(folder).version, {WEIGHTS: str(folder)})
                case "fill":
                    self.fill(product)
                case "gate":
                    rollout.record(_other(product), Gate(passed=step.passes, at=1.0, questions=1))
                case "cutover":
                    self.fill(product)
                    rollout.cut_over("" if step.passes else "forced")
                    self.reached.add("cutover")
                case "rollback":
                    self.fill(product)
                    rollout.roll_back()
                    self.reached.add("rollback")
                case "release":
                    rollout.release()
                    self.reached.add("release")
        except RolloutRefusedError:
            self.reached.add(f"{step.kind} refused")

    def follow(self, product: Product) -> None:
        """What `headwater watch` does at each look."""
        for event in look(product, REFS, _fail):
            product.run([event])
        product.collect()
        self.fill(product)

    def fill(self, product: Product) -> None:
        for other in product.others():
            try:
                catch_up(product, other)
            except BEHIND as error:
                raise AssertionError(f"nothing is in the way here: {error}") from error

    def check_answers(self, product: Product) -> None:
        """Whatever is live shows each view at the commit that was shown before, or at its head: never an older one."""
        git = GitRepository(self.git.path)
        heads = {ViewKey(REPO, ref): git.commit_of(ref) for ref in REFS}
        states = {s.view: s.commit for s in product.catalog.views() if s.published}
        for view, commit in self.shown.items():
            if heads[view] is not None:
                assert states.get(view) in (commit, heads[view]), view
        self.shown = states
        assert sum(e.phase is Phase.LIVE for e in product.registry.read().rows) == 1

    def finish(self) -> None:
        """One more look; then every edition that takes writes is exactly a fresh index of its version."""
        with self.product() as product:
            rollout = Rollout(product.registry, HomeEditions(product))
            other = product.registry.read().other
            if other is not None and other.phase is Phase.STARTING:
                rollout.start(other.version, other.source)
            elif other is not None and other.phase is Phase.RELEASING:
                rollout.release()
            self.follow(product)
            self.check_answers(product)
            for edition in (product.live, *product.others()):
                self.check_fresh(edition)
            numbers = {e.number for e in product.registry.read().written}
        kept = {int(folder.name) for folder in (self.home.root / "editions").glob("*")}
        assert kept | ({1} if self.home.catalog.exists() else set()) == numbers

    def check_fresh(self, edition: OpenEdition) -> None:
        with (
            tempfile.TemporaryDirectory(dir=self.folder) as folder,
            Product(Home(Path(folder)), RULES, OneModel(edition.model)) as fresh,
        ):
            fresh.catalog.add_repository(Repository(REPO, str(self.git.path)))
            self.follow_fresh(fresh)
            views = [s.view for s in fresh.catalog.views()]
            assert [s.view for s in edition.catalog.views()] == views
            for view in views:
                with edition.catalog.pin([view]) as ours, fresh.catalog.pin([view]) as theirs:
                    assert ours[0].commit == theirs[0].commit
                    assert ours[0].vector_complete
                    one, other = IndexedTree(edition.catalog, ours), IndexedTree(fresh.catalog, theirs)
                    assert list(differences(one, other)) == []
            hashes = set(fresh.vectors.hashes())
            assert edition.vectors.present(sorted(hashes)) == hashes

    def follow_fresh(self, fresh: Product) -> None:
        for event in look(fresh, REFS, _fail):
            fresh.run([event])


def _other(product: Product) -> int:
    other = product.registry.read().other
    return other.number if other is not None else 0


def _fail(message: str) -> None:
    raise AssertionError(message)


REACHED: set[str] = set()


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_any_interleaving_with_crashes_ends_exact(steps: Sequence[Step]) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(dir=MEMORY) as folder, fused() as fuse:
        patch.setattr(open_edition, "ParsePool", Analyser)
        world = World(Path(folder))
        for step in steps:
            world.take(step, fuse)
        world.finish()
        REACHED.update(world.reached)


def test_the_histories_went_through_every_step() -> None:
    """What the random steps reached, so that the property isn't true of nothing."""
    assert {"cutover", "rollback", "release"} <= REACHED


def plain(kind: str, **changes: Any) -> Step:
    fields: dict[str, Any] = {"ref": REFS[0], "tree": {}, "dimensions": 16, "passes": False, "crash": 0, "again": True}
    return Step(kind=kind, **{**fields, **changes})


PUSHES = [
    plain("push", tree={"a.py": b"def two():\n    return three()\n", "b/c.py": b"def three():\n    return 3\n"}),
    plain("push", tree={"b/c.py": b"def four():\n    return 4\n"}),
    plain("push", tree={"d.py": b"def five():\n    return 5\n"}, ref=REFS[1]),
    plain("push", tree={"a.py": b"def six():\n    return 6\n"}),
]
LIFE = [
    plain("start"), PUSHES[0], plain("follow"), plain("cutover"), PUSHES[1], plain("follow"), plain("rollback"),
    PUSHES[2], plain("follow"), plain("cutover"), plain("release"), PUSHES[3], plain("follow"),
]  # fmt: skip


@pytest.mark.parametrize("at", [n for n, step in enumerate(LIFE) if step.kind not in ("push", "delete")])
@pytest.mark.parametrize("again", [True, False])
def test_a_crash_at_every_write_of_every_step(at: int, again: bool) -> None:
    """The whole life of a rollout once for each moment of one of its steps, cut off there."""
    moment = 0
    while True:
        moment += 1
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(dir=MEMORY) as folder, fused() as fuse:
            patch.setattr(open_edition, "ParsePool", Analyser)
            world = World(Path(folder))
            for number, step in enumerate(LIFE):
                cut = number == at
                fuse.moments = 0
                world.take(replace(step, crash=moment if cut else 0, again=again), fuse)
                if cut and fuse.moments < moment:
                    return  # the step has no more moments
            world.finish()
