"""A second look reorders the best candidates, and its absence changes only what is said to be missing."""

from collections.abc import Sequence

from headwater.clients.embedding_model import ModelUnavailableError
from headwater.domain.answer import Answer
from headwater.domain.question import SearchQuestion
from headwater.query.engine import Engine, Parts
from headwater.query.reranking import Candidate, Reranker
from headwater.query.retrieval import VectorSide
from support.small_index import SmallIndex

QUESTION = SearchQuestion(query="where are orders saved to disk")


class ShortestPathFirst:
    """A reranker whose order is easy to foresee."""

    def __init__(self) -> None:
        self.seen: list[Candidate] = []

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        self.seen = list(candidates)
        return [-float(len(c.path)) for c in candidates]


class Stopped:
    """A reranker whose server is down."""

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        raise ModelUnavailableError


def _ask(index: SmallIndex, reranker: Reranker | None) -> Answer:
    vectors = VectorSide(index.model, index.vectors)
    engine = Engine(Parts(reader=index.catalog, vectors=vectors, reranker=reranker))
    answer = engine.search(QUESTION)
    engine.close()
    return answer


def test_candidates_come_in_the_rerankers_order(index: SmallIndex) -> None:
    reranker = ShortestPathFirst()
    answer = _ask(index, reranker)
    lengths = [len(r.path) for r in answer.results]
    assert lengths == sorted(lengths)
    assert all("rerank" in r.retrievers for r in answer.results)
    store = next(c for c in reranker.seen if c.path == "shop/store.py" and c.scopes)
    assert store.text.startswith("class Store:")
    assert store.lexical_rank > 0 < store.vector_rank
    assert store.lexical_score > 0 < store.vector_score


def test_without_an_answer_the_order_stays_and_the_part_is_named(index: SmallIndex) -> None:
    answer = _ask(index, Stopped())
    assert answer.results == _ask(index, None).results
    assert answer.degraded == ("rerank",)
