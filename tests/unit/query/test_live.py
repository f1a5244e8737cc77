"""Questions go to the live edition, pages to the one that they were begun in, whatever is cut over in between."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.domain import edition as steps
from headwater.domain.edition import Change, Editions
from headwater.domain.query_error import PageExpiredError
from headwater.domain.question import DefinitionsQuestion, UsagesQuestion
from headwater.domain.version import PipelineVersion
from headwater.query.engine import Engine, Parts
from headwater.query.live import QUESTIONS, LiveEngine
from headwater.stores.catalog import CatalogUnavailableError
from support.small_index import SmallIndex

USES = "\n".join(f"x{n} = alpha({n})" for n in range(9))


class Switch:
    """Two indexes whose row can be changed."""

    def __init__(self, folder: Path) -> None:
        self.editions = Editions()
        self.indexes = {number: SmallIndex(folder / str(number), StaticModel()) for number in (1, 2)}
        self.broken: set[int] = set()
        for number, index in self.indexes.items():
            index.commit({f"of_{number}.py": f"def alpha(x):\n    return x\n\n{USES}\n"})
        self.engine = LiveEngine(lambda: self.editions, self._open)
        self.step(steps.adopt(PipelineVersion("a", 8), {}, 1.0))
        self.step(steps.start(PipelineVersion("b", 8), {}, 2.0))
        self.step(steps.laid_out(2))

    def step(self, change: Change) -> None:
        self.editions = change(self.editions)

    def cut_over(self) -> None:
        self.step(steps.cut_over("a test", 3.0))

    def path(self) -> str:
        return self.engine.definitions(DefinitionsQuestion(symbol="alpha")).results[0].path

    def _open(self, number: int) -> Engine:
        if number in self.broken:
            raise CatalogUnavailableError("not there")
        return Engine(Parts(reader=self.indexes[number].catalog, page_secret=b"s"))


@pytest.fixture
def switch(tmp_path: Path) -> Iterator[Switch]:
    made = Switch(tmp_path)
    yield made
    made.engine.close()
    for index in made.indexes.values():
        index.catalog.close()


def test_every_question_of_an_engine_is_asked_of_the_live_one() -> None:
    asked = [
        n for n, m in inspect.getmembers(Engine, inspect.isfunction) if "grants" in inspect.signature(m).parameters
    ]
    assert sorted(n for n in asked if not n.startswith("_")) == sorted(QUESTIONS)


def test_cut_over_and_rollback_change_what_answers(switch: Switch) -> None:
    assert switch.path() == "of_1.py"
    switch.cut_over()
    assert switch.path() == "of_2.py"
    switch.step(steps.roll_back(4.0))
    assert switch.path() == "of_1.py"


def test_pages_join_across_a_cut_over_and_end_with_their_edition(switch: Switch) -> None:
    question = UsagesQuestion(symbol="alpha", limit=4)
    first = switch.engine.usages(question)
    switch.cut_over()
    second = switch.engine.usages(UsagesQuestion(symbol="alpha", limit=4, page_token=first.next_page_token))
    assert {r.path for r in (*first.results, *second.results)} == {"of_1.py"}
    assert len({r.range.start_line for r in (*first.results, *second.results)}) == 8
    fresh = switch.engine.usages(question)
    assert {r.path for r in fresh.results} == {"of_2.py"}
    third = switch.engine.usages(UsagesQuestion(symbol="alpha", limit=4, page_token=fresh.next_page_token))
    assert third.results[0].range.start_line == second.results[0].range.start_line
    switch.step(steps.release(5.0))
    switch.step(steps.released(1))
    with pytest.raises(PageExpiredError):
        switch.engine.usages(UsagesQuestion(symbol="alpha", limit=4, page_token=second.next_page_token))


def test_the_former_edition_answers_while_the_new_one_cant_be_opened(switch: Switch) -> None:
    assert switch.path() == "of_1.py"
    switch.broken = {2}
    switch.cut_over()
    assert switch.path() == "of_1.py"
    switch.broken = set()
    assert switch.path() == "of_2.py"


@pytest.mark.parametrize("token", ["9" * 5000 + ".x", "9.x", "x.x", ".x"])
def test_a_page_of_no_edition_has_expired(switch: Switch, token: str) -> None:
    with pytest.raises(PageExpiredError):
        switch.engine.usages(UsagesQuestion(symbol="alpha", limit=4, page_token=token))
