"""A rollout on PostgreSQL and Milvus to a model of another dimension, while pushes and questions go on."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg
import pytest
from pymilvus import MilvusClient

from headwater.ast_chunker.analyser import InProcessAnalyser
from headwater.ast_chunker.stage import AstChunker
from headwater.cli.gating import Questions
from headwater.clients.static_model import WEIGHTS, StaticModel
from headwater.commit_ingest.poller import Poller
from headwater.defref_sink.stage import DefRefSink
from headwater.deployment import live_index
from headwater.deployment.deployed_editions import DeployedEditions
from headwater.deployment.followed_editions import Followed, FollowedEditions
from headwater.deployment.live_index import LiveIndex
from headwater.deployment.parts.editions import catalog_of, open_catalog, open_registry
from headwater.deployment.parts.vectors import open_vectors
from headwater.domain.edition import Edition, Phase
from headwater.domain.question import DefinitionsQuestion, SearchQuestion
from headwater.domain.treatment import Treatment
from headwater.domain.view import ViewKey
from headwater.embedded.comparison import IndexedTree, differences
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.models import OneModel
from headwater.embedded.product import Product
from headwater.embedder.stage import Embedder
from headwater.events import CommitReceived
from headwater.merkle_differ.stage import MerkleDiffer
from headwater.query.engine import Parts
from headwater.query.live import LiveEngine
from headwater.reconciler.stage import Reconciler
from headwater.rollout.operations import Rollout
from headwater.stack import Running
from headwater.stores.catalog import Repository, VersionMismatchError
from headwater.stores.git_source import LocalGitSource
from headwater.stores.milvus_settings import collection_name
from headwater.stores.milvus_vectors import ALIAS
from headwater.streaming.in_process import InProcessRunner
from headwater.vector_sink.stage import VectorSink
from integration.test_rollout_commands import QUESTIONS
from support.git_repo import Files, RepoBuilder
from support.program import FILES
from support.weights import shorter_model

REPO, MAIN = "shop", "refs/heads/main"


class Installation:
    """The stores and query plane of the streaming system; each edition's stages run in this process, not over Kafka."""

    def __init__(self, folder: Path, environ: Mapping[str, str], models: Mapping[str, StaticModel]) -> None:
        self.environ, self.models = environ, models
        self.git = RepoBuilder(folder / "shop.git")
        self.files: Files = dict(FILES)
        self.head = self.git.commit(self.files)
        self.source = LocalGitSource({REPO: str(self.git.path)}.get)
        first = models["own"].version
        with closing(open_catalog(environ, first)) as catalog:
            catalog.add_repository(Repository(REPO, str(self.git.path)))
        self.registry = open_registry(environ)
        self.stores = DeployedEditions(environ)
        self.rollout = Rollout(self.registry, self.stores)
        self.followed = FollowedEditions(self.registry, self._follow)
        self.index = LiveIndex(environ)
        shared = Parts(reader=self.index.catalog(), page_secret=b"s")
        self.engine = LiveEngine(self.index.editions, lambda number: self.index.engine(number, shared))

    def push(self, number: int) -> None:
        """A commit that its webhook tells of; every third notice is lost, and polling finds it."""
        self.files[f"pushed/m{number % 7}.py"] = b"def pushed_%d():\n    return %d\n" % (number, number)
        self.head = self.git.commit(self.files)
        if number % 3:
            event = CommitReceived(repo=REPO, ref=MAIN, after=self.head, pushed_at=time.time(), cause="webhook")
            self.followed.publish([event])
        else:
            self.followed.look()

    def commits(self) -> dict[int, str]:
        """What each edition that takes writes shows of main."""
        found = {}
        for edition in self.registry.read().written:
            state = self.stores.catalog(edition).view(ViewKey(REPO, MAIN))
            found[edition.number] = state.commit if state is not None else ""
        return found

    def close(self) -> None:
        for part in (self.engine, self.index, self.followed, self.stores, self.registry):
            part.close()

    def _follow(self, edition: Edition) -> Followed:
        catalog = catalog_of(self.environ, edition.number, edition.version)
        run = self._pipeline(edition)
        return Followed(
            catalog=catalog, publish=run, poller=Poller(catalog, self.source.open, run, ["main"], again_s=0.0)
        )

    def _pipeline(self, edition: Edition) -> Callable[[Sequence[CommitReceived]], None]:
        catalog = catalog_of(self.environ, edition.number, edition.version)
        vectors, version = open_vectors(self.environ, edition.version), edition.version
        model = self.models[edition.source.get("chunk_model", "own")]
        lock = threading.Lock()

        def run(events: Sequence[CommitReceived]) -> None:
            stages = {
                "merkle-differ": MerkleDiffer(catalog, self.source, treatment=Treatment()),
                "ast-chunker": AstChunker(version, self.source, InProcessAnalyser(version)),
                "embedder": Embedder(catalog, model),
                "vector-sink": VectorSink(catalog, vectors, version),
                "defref-sink": DefRefSink(catalog),
                "reconciler": Reconciler(catalog),
            }
            with lock:
                runner = InProcessRunner(stages)  # type: ignore[arg-type]
                runner.submit("commit-received", events)
                runner.drain()

        return run


@pytest.fixture
def installation(
    postgres: Running, milvus: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installation]:
    server = f"postgresql://app@127.0.0.1:{postgres.ports['sql']}"
    name = f"rollout_{uuid4().hex[:8]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    models = {"own": StaticModel(WEIGHTS), "shorter": StaticModel(shorter_model(tmp_path / "weights"))}
    monkeypatch.setattr(
        live_index, "model_of", lambda _environ, edition: closable(models[edition.source.get("chunk_model", "own")])
    )
    environ = {
        "HEADWATER_CATALOG_URL": f"{server}/{name}",
        "HEADWATER_MILVUS_ADDRESS": f"http://{milvus.address('grpc')}",
        "HEADWATER_MILVUS_VECTOR": "float",
        "HEADWATER_MILVUS_CONSISTENCY": "Strong",
        "HEADWATER_MILVUS_DEADLINE_S": "20",
    }
    made = Installation(tmp_path, environ, models)
    yield made
    made.close()
    client = MilvusClient(environ["HEADWATER_MILVUS_ADDRESS"])
    if ALIAS in _aliases(client, models):
        client.drop_alias(ALIAS)
    for model in models.values():
        client.drop_collection(collection_name(model.version))
    client.close()


def closable(model: StaticModel) -> StaticModel:
    model.close = lambda: None  # type: ignore[attr-defined]
    return model


def _aliases(client: MilvusClient, models: Mapping[str, StaticModel]) -> list[str]:
    names = [collection_name(m.version) for m in models.values()]
    return [a for n in names if client.has_collection(n) for a in client.list_aliases(n)["aliases"]]


class Background:
    """Pushes and questions that go on until the context ends; what went wrong in them comes out there."""

    def __init__(self, installation: Installation) -> None:
        self._of, self._stop = installation, threading.Event()
        self.numbers = itertools.count(1)
        self.asked = 0
        self.wrong: list[str] = []

    @contextmanager
    def going_on(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._guarded, args=(work,)) for work in (self._push, self._ask)]
        for thread in threads:
            thread.start()
        yield
        self._stop.set()
        for thread in threads:
            thread.join(60)
        assert self.wrong == []

    def _guarded(self, work: Callable[[], None]) -> None:
        while not self._stop.is_set():
            try:
                work()
            except Exception as error:  # noqa: BLE001 told to the test's thread
                self.wrong.append(f"{work.__name__}: {error!r}")
                return

    def _push(self) -> None:
        self._of.push(next(self.numbers))
        self._stop.wait(0.2)

    def _ask(self) -> None:
        """Never an empty answer, and never one without its vectors for long: the question is one of words."""
        found = self._of.engine.definitions(DefinitionsQuestion(symbol="validate_token"))
        assert [r.path for r in found.results] == ["shop/auth.py"], found
        words = self._of.engine.search(SearchQuestion(query="where is a signature checked", timeout_s=30.0))
        assert words.results, words
        self.asked += 1


def wait_for(done: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def settled(of: Installation) -> None:
    """Every edition at the head."""
    of.followed.look()
    wait_for(lambda: set(of.commits().values()) == {of.head})


def test_a_rollout_to_another_dimension_while_pushes_and_questions_go_on(
    installation: Installation, tmp_path: Path
) -> None:
    of, shorter = installation, installation.models["shorter"]
    of.followed.look()
    background = Background(of)
    with background.going_on():
        edition = of.rollout.start(shorter.version, {"chunk_model": "shorter"})
        assert (edition.number, edition.phase) == (2, Phase.BUILDING)
        wait_for(lambda: of.commits().get(2, "") != "")
        status = of.rollout.status()
        assert status[1].coverage is not None
        golden = tmp_path / "golden.jsonl"
        golden.write_bytes(b"\n".join(map(msgspec.json.encode, QUESTIONS)))
        engines = [of.index.engine(n, Parts(reader=of.index.catalog())) for n in (1, 2)]
        gate = Questions([golden], 1, {REPO}).gate(*engines)
        assert gate.passed, gate
        of.rollout.record(2, gate)
        assert of.rollout.cut_over(wait_s=60).number == 2
        asked = background.asked
        wait_for(lambda: background.asked > asked + 10)
        before = of.commits()[1]
        wait_for(lambda: of.commits()[1] != before)  # the former edition goes on taking writes
        assert of.rollout.roll_back(wait_s=60).number == 1
        asked = background.asked
        wait_for(lambda: background.asked > asked + 10)
        of.rollout.cut_over("gated before", wait_s=60)
        asked = background.asked
        wait_for(lambda: background.asked > asked + 5)
    settled(of)
    assert of.rollout.release().phase is Phase.RELEASED
    found = of.engine.definitions(DefinitionsQuestion(symbol="validate_token"))
    assert [r.path for r in found.results] == ["shop/auth.py"]
    check_fresh(of, tmp_path / "fresh")
    client = MilvusClient(of.environ["HEADWATER_MILVUS_ADDRESS"])
    assert not client.has_collection(collection_name(of.models["own"].version))
    assert _aliases(client, of.models) == [ALIAS]
    client.close()
    with psycopg.connect(of.environ["HEADWATER_CATALOG_URL"]) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'headwater%'").fetchall()
    assert rows == [("headwater_2",)]
    with pytest.raises(VersionMismatchError, match=r"index 1 .* is released"):
        open_catalog(of.environ, of.models["own"].version)


def test_a_crash_between_the_row_and_the_alias_is_made_good_by_the_next_command(installation: Installation) -> None:
    of = installation
    of.followed.look()
    of.rollout.start(of.models["shorter"].version, {"chunk_model": "shorter"})
    settled(of)

    class Cut(DeployedEditions):
        def follow(self, live: Edition) -> None:
            raise KeyboardInterrupt

    with closing(Cut(of.environ)) as cut, pytest.raises(KeyboardInterrupt):
        Rollout(of.registry, cut).cut_over("a test")
    client = MilvusClient(of.environ["HEADWATER_MILVUS_ADDRESS"])
    assert client.describe_alias(ALIAS)["collection_name"] == collection_name(of.models["own"].version)
    of.push(1)
    assert set(of.commits().values()) == {of.head}
    of.rollout.follow()
    assert client.describe_alias(ALIAS)["collection_name"] == collection_name(of.models["shorter"].version)
    client.close()


def check_fresh(of: Installation, folder: Path) -> None:
    """The live edition is exactly a fresh index of its version."""
    live = of.registry.read().live
    assert live is not None
    catalog, model = of.stores.catalog(live), of.models["shorter"]
    view = ViewKey(REPO, MAIN)
    with Product(Home(folder), Treatment(), OneModel(model)) as fresh:
        index(fresh, [Target(of.git.path, (MAIN,), REPO)])
        with catalog.pin([view]) as ours, fresh.catalog.pin([view]) as theirs:
            one, other = IndexedTree(catalog, ours), IndexedTree(fresh.catalog, theirs)
            assert list(differences(one, other)) == []
        hashes = sorted(fresh.vectors.hashes())
        assert open_vectors(of.environ, model.version).present(hashes) == set(hashes)
