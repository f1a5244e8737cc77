"""What is done to a ranked answer besides ranking it, each part on and off."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.domain.answer import ContextAnswer
from headwater.domain.question import ContextQuestion, SearchQuestion
from headwater.query.engine import Engine, Parts
from headwater.query.reranking import Candidate
from headwater.query.retrieval import VectorSide
from headwater.query.shaping import Shaping
from support.small_index import SmallIndex

TAX = '''def tax_of(order):
    """The tax that is due for an order."""
    rate = rate_for(order.country)
    due = order.total * rate
    return round(due, 2)
'''
FILES = {
    "shop/tax.py": f"from shop.rates import rate_for\n\n\n{TAX}",
    "shop/rates.py": "def rate_for(country):\n    table = {}\n    return table.get(country, 0.2)\n",
    "copies/tax.py": f"from shop.rates import rate_for\n\n\n{TAX}",
    "vendor/tax.py": f"{TAX.replace('2)', '3)').replace('due', 'sum')}",
}


class Indifferent:
    """A reranker to which all candidates are alike."""

    def rerank(self, query: str, candidates: Sequence[Candidate], timeout_s: float) -> list[float]:
        return [0.0] * len(candidates)


@pytest.fixture
def taxes(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    made.commit(FILES)
    yield made
    made.close()


def _engine(index: SmallIndex, shaping: Shaping) -> Engine:
    vectors = VectorSide(index.model, index.vectors)
    return Engine(Parts(reader=index.catalog, vectors=vectors, reranker=Indifferent(), shaping=shaping))


def _paths(index: SmallIndex, shaping: Shaping) -> list[str]:
    engine = _engine(index, shaping)
    answer = engine.search(SearchQuestion(query="the tax that is due for an order"))
    engine.close()
    return [r.path for r in answer.results if r.symbol == "tax_of"]


def _context(index: SmallIndex, shaping: Shaping) -> ContextAnswer:
    engine = _engine(index, shaping)
    answer = engine.context(ContextQuestion(query="the tax that is due for an order", path_globs=("shop/tax.py",)))
    engine.close()
    return answer


def test_copies_are_shown_once(taxes: SmallIndex) -> None:
    assert len([p for p in _paths(taxes, Shaping()) if not p.startswith("vendor/")]) == 1
    assert len([p for p in _paths(taxes, Shaping(collapse=False)) if not p.startswith("vendor/")]) == 2


def test_vendored_code_stays_down_when_the_reranker_is_indifferent(taxes: SmallIndex) -> None:
    assert _paths(taxes, Shaping(collapse=False))[-1] == "vendor/tax.py"
    assert set(_paths(taxes, Shaping(collapse=False, demote=False))) == {
        "shop/tax.py",
        "copies/tax.py",
        "vendor/tax.py",
    }


def test_a_context_holds_what_its_hits_call(taxes: SmallIndex) -> None:
    assert "rate_for" in [i.result.symbol for i in _context(taxes, Shaping()).items]
    assert "rate_for" not in [i.result.symbol for i in _context(taxes, Shaping(expand=False)).items]
