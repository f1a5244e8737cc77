"""What the product gives its reranker for a question, and which of it answers: recorded while the engine answers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from headwater.clients.static_model import StaticModel
from headwater.domain.answer import Result
from headwater.domain.question import SearchQuestion
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.evaluation.corpora import Corpus
from headwater.evaluation.golden import Retrieval, Span
from headwater.evaluation.metrics import is_hit
from headwater.query.engine import Engine, Parts
from headwater.query.reranking import Candidate
from headwater.query.retrieval import VectorSide
from headwater.query.search import RERANKED


class _Recorder:
    """A reranker that keeps the fused order."""

    def __init__(self) -> None:
        self.seen: list[Candidate] = []

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        self.seen = list(candidates)
        return [-float(place) for place in range(len(candidates))]


def served(
    home: Path, questions: Sequence[Retrieval], corpora: dict[str, Corpus], models: Sequence[StaticModel]
) -> Iterator[tuple[list[Candidate], list[bool]]]:
    """Each question's candidates in fused order, without folded copies, and whether each answers it.

    A question that the product takes for something else than prose has none.
    `home` is the index that `headwater eval --home HOME` keeps; `models` embed the questions, one each.
    """
    recorder = _Recorder()
    with Product(Home(home / "index")) as product:
        engines = {
            id(model): Engine(
                Parts(reader=product.catalog, vectors=VectorSide(model, product.vectors), reranker=recorder)
            )
            for model in models
        }
        for question, model in zip(questions, models, strict=True):
            globs = corpora[question.corpus].globs()
            asked = SearchQuestion(
                query=question.query, repos=(question.corpus,), path_globs=globs, limit=RERANKED, timeout_s=60.0
            )
            recorder.seen = []
            shown = {(r.path, r.snippet): r for r in reversed(engines[id(model)].search(asked).results)}
            kept = [(c, shown[c.path, c.text]) for c in recorder.seen if (c.path, c.text) in shown]
            yield [c for c, _ in kept], [_answers(result, question) for _, result in kept]
        for engine in engines.values():
            engine.close()


def _answers(result: Result, question: Retrieval) -> bool:
    at = result.range
    end = at.end_line - (at.end_col == 1 and at.end_line > at.start_line)
    return any(is_hit(Span(result.path, at.start_line, end), expected) for expected in question.expected)
