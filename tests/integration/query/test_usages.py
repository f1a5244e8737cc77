"""Definitions and usages over a real catalog: complete, labelled, never a neighbour."""

import pytest

from headwater.domain.answer import Answer, Certainty
from headwater.domain.grants import Grants
from headwater.domain.query_error import InvalidQuestionError, NotFoundError
from headwater.domain.question import DefinitionsQuestion, Place, SearchQuestion, UsagesQuestion
from headwater.query.engine import Engine
from support.small_index import SmallIndex


def _calls(answer: Answer) -> list[tuple[str, int, int, str]]:
    return [(r.path, r.range.start_line, r.range.start_col, r.symbol) for r in answer.results if r.kind == "call"]


def test_c9_usages_through_both_forms_of_alias(engine: Engine) -> None:
    answer = engine.usages(UsagesQuestion(symbol="add"))
    assert _calls(answer) == [("shop/store.py", 10, 17, "plus"), ("shop/store.py", 11, 32, "add")]
    assert {r.certainty for r in answer.results} == {Certainty.RESOLVED}
    assert all(r.definition.endswith("add") for r in answer.results)
    assert answer.complete


def test_c9_the_same_by_place_of_definition_or_use(engine: Engine) -> None:
    by_name = engine.usages(UsagesQuestion(symbol="money.add")).results
    for place in (Place("shop/money.py", 1, 5), Place("shop/store.py", 11, 33), Place("shop/store.py", 10, 18)):
        assert engine.usages(UsagesQuestion(place=place)).results == by_name


def test_locals_by_place(engine: Engine) -> None:
    answer = engine.usages(UsagesQuestion(place=Place("shop/store.py", 10, 9)))
    assert [(r.path, r.range.start_line, r.range.start_col) for r in answer.results] == [("shop/store.py", 11, 36)]


def test_c5_java_overloads_are_two_symbols_with_separate_usages(engine: Engine) -> None:
    both = engine.definitions(DefinitionsQuestion(symbol="Finder.find"))
    assert [r.range.start_line for r in both.results] == [4, 5]
    one = engine.usages(UsagesQuestion(symbol="Finder.find(String)"))
    other = engine.usages(UsagesQuestion(symbol="Finder.find(int)"))
    assert {(6, 36)} == {(r.range.start_line, r.range.start_col) for r in one.results}
    assert {(6, 26)} == {(r.range.start_line, r.range.start_col) for r in other.results}


def test_an_unknown_symbol_is_not_found_with_suggestions_the_caller_may_see(engine: Engine, index: SmallIndex) -> None:
    index.commit({"x.py": "class Stores:\n    pass\n"}, repo="hidden")
    mine = Grants(repos=frozenset({"shop"}))
    for ask in (
        lambda: engine.usages(UsagesQuestion(symbol="store"), mine),
        lambda: engine.definitions(DefinitionsQuestion(symbol="store"), mine),
    ):
        with pytest.raises(NotFoundError) as caught:
            ask()
        assert caught.value.suggestions
        assert not any("Stores" in s for s in caught.value.suggestions)


def test_a_wrong_container_is_not_found(engine: Engine) -> None:
    with pytest.raises(NotFoundError):
        engine.definitions(DefinitionsQuestion(symbol="Shelf.save"))


def test_filters_choose_usages_not_the_definition(engine: Engine) -> None:
    answer = engine.usages(UsagesQuestion(symbol="Store", path_globs=("tests/",)))
    assert {r.path for r in answer.results} == {"tests/test_store.py"}


def test_kinds(engine: Engine) -> None:
    assert {r.kind for r in engine.usages(UsagesQuestion(symbol="add", kinds=("call",))).results} == {"call"}
    with pytest.raises(InvalidQuestionError, match="use call"):
        engine.usages(UsagesQuestion(symbol="add", kinds=("calls",)))


def test_usages_in_words(engine: Engine) -> None:
    assert _calls(engine.search(SearchQuestion(query="who calls money.add"))) == [
        ("shop/store.py", 10, 17, "plus"),
        ("shop/store.py", 11, 32, "add"),
    ]


@pytest.mark.parametrize(("symbol", "place"), [("", None), ("a b", None), ("", Place("nope.py", 1, 1))])
def test_bad_targets_say_what_to_do(engine: Engine, symbol: str, place: Place | None) -> None:
    with pytest.raises((InvalidQuestionError, NotFoundError)):
        engine.usages(UsagesQuestion(symbol=symbol, place=place))
