"""One side down: the other answers, and the answer says so."""

import time
from collections.abc import Iterator, Sequence

import pytest

from headwater.clients.embedding_model import ChunkText, Int8Matrix, ModelUnavailableError
from headwater.domain.query_error import DeadlinePassedError, UnavailableError
from headwater.domain.question import ContextQuestion, FreshnessQuestion, SearchQuestion
from headwater.domain.version import PipelineVersion
from headwater.query.engine import Engine, Parts
from headwater.query.retrieval import VectorSide
from headwater.stores.vector_store import VectorHit, VectorsUnavailableError
from support.small_index import MemoryVectors, SmallIndex

QUERY = SearchQuestion(query="where are orders saved to disk", timeout_s=0.5)


class StoppedVectors(MemoryVectors):
    """A store behind a closed port."""

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        raise VectorsUnavailableError

    def count(self) -> int:
        raise VectorsUnavailableError


class HangingVectors(MemoryVectors):
    """A store that answers after the caller's deadline."""

    def search(self, query: Int8Matrix, limit: int) -> list[VectorHit]:
        time.sleep(2)
        return []


class StoppedModel:
    """A model server that is down."""

    version = PipelineVersion("m", 8)

    def embed_chunks(self, chunks: Sequence[ChunkText]) -> Int8Matrix:
        raise ModelUnavailableError

    def embed_query(self, query: str) -> Int8Matrix:
        raise ModelUnavailableError


@pytest.fixture(params=["stopped-store", "hanging-store", "stopped-model", "no-vectors"])
def degraded(request: pytest.FixtureRequest, index: SmallIndex) -> Iterator[Engine]:
    sides = {
        "stopped-store": VectorSide(index.model, StoppedVectors()),
        "hanging-store": VectorSide(index.model, HangingVectors()),
        "stopped-model": VectorSide(StoppedModel(), index.vectors),
        "no-vectors": None,
    }
    engine = Engine(Parts(reader=index.catalog, vectors=sides[request.param]))
    yield engine
    engine.close()


def test_f6_lexical_results_are_marked_degraded_within_the_deadline(degraded: Engine) -> None:
    started = time.monotonic()
    answer = degraded.search(QUERY)
    assert answer.degraded == ("vector",)
    assert answer.results[0].path == "shop/store.py"
    assert time.monotonic() - started < 2


def test_f6_context_says_so_too(degraded: Engine) -> None:
    assert degraded.context(ContextQuestion(query=QUERY.query, timeout_s=0.5)).degraded == ("vector",)


def test_min_commit_is_waited_for_and_refused_in_time(engine: Engine, index: SmallIndex) -> None:
    later = index.commit({"new.py": "x = 1\n"})
    assert engine.freshness(FreshnessQuestion(min_commit=later)).satisfied
    with pytest.raises(DeadlinePassedError, match="was not searchable in time"):
        engine.search(SearchQuestion(query="x", min_commit="f" * 40, timeout_s=0.1))


def test_what_is_not_published_is_not_seen(engine: Engine, index: SmallIndex) -> None:
    before = engine.search(SearchQuestion(query="add"))
    index.commit({"new.py": "def add():\n    pass\n"}, publish=False)
    assert engine.search(SearchQuestion(query="add")) == before
    with pytest.raises(DeadlinePassedError, match="is being indexed"):
        engine.freshness(FreshnessQuestion(min_commit="e" * 40, timeout_s=0.05))


def test_before_the_first_publication_nothing_is_claimed(engine: Engine, index: SmallIndex) -> None:
    index.commit({"a.py": "def add():\n    pass\n"}, repo="fresh", publish=False)
    with pytest.raises(UnavailableError, match="first index of fresh"):
        engine.search(SearchQuestion(query="add", repos=("fresh",)))
    both = engine.search(SearchQuestion(query="add"))
    assert [view.repo for view in both.as_of] == ["shop"]
    assert not both.complete


def test_a_server_that_answers_does_not_keep_old_generations(engine: Engine, index: SmallIndex) -> None:
    for number in range(4):
        index.commit({"a.py": f"def step_{number}():\n    pass\n"})
        assert engine.search(SearchQuestion(query=f"step_{number}")).total == 1
    index.catalog.collect(1)
    assert index.catalog.unreferenced() == 0
