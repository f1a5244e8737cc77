"""What a caller sends is valid text of a sensible length, whichever field it is in."""

import math
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    FilesQuestion,
    FreshnessQuestion,
    GrepQuestion,
    OutcomeReport,
    Place,
    Question,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.domain.question_check import check_question
from headwater.limits import Limits

LIMITS = Limits()
ASKED: tuple[Question | OutcomeReport, ...] = (
    SearchQuestion(query="q"),
    DefinitionsQuestion(symbol="s"),
    UsagesQuestion(symbol="s"),
    GrepQuestion(pattern="p"),
    ContextQuestion(query="q"),
    StructuralQuestion(words="calls"),
    FilesQuestion(path="p"),
    FreshnessQuestion(),
    OutcomeReport(query="q", outcome="accepted"),
)
TEXTS = [(one, name) for one in ASKED for name in one.__struct_fields__ if isinstance(getattr(one, name), str)]
LISTS = [(one, name) for one in ASKED for name in one.__struct_fields__ if isinstance(getattr(one, name), tuple)]


def _refused(asked: Question | OutcomeReport, **changed: object) -> str:
    with pytest.raises(InvalidQuestionError) as caught:
        check_question(msgspec.structs.replace(asked, **changed), LIMITS)
    assert caught.value.field.partition(".")[0] in changed
    return caught.value.message


@pytest.mark.parametrize(("asked", "field"), TEXTS)
def test_s7_every_text_has_a_length_and_is_unicode(asked: Question, field: str) -> None:
    check_question(asked, LIMITS)
    if not (field == "query" and isinstance(asked, SearchQuestion | ContextQuestion)):  # these are cut
        assert "shorten it" in _refused(asked, **{field: "x" * 100_000})
    assert "half a character" in _refused(asked, **{field: "a\ud800"})
    if field != "pattern":
        assert "NUL" in _refused(asked, **{field: "a\0b"})


@pytest.mark.parametrize(("asked", "field"), LISTS)
def test_s7_every_list_has_a_number_and_its_entries_a_length(asked: Question, field: str) -> None:
    assert "give fewer" in _refused(asked, **{field: ("x",) * 1_001})
    for entry in ("x" * 5_000, "a\udfff", "a\0b"):
        _refused(asked, **{field: (entry,)})


@pytest.mark.parametrize("number", [-1.0, math.nan, math.inf, 1e300])
def test_s7_a_time_is_a_number_that_can_be_waited_for(number: float) -> None:
    assert "give a number" in _refused(SearchQuestion(query="q"), timeout_s=number)


@pytest.mark.parametrize(
    "place", [Place("a", -1, 1), Place("a", 1, 2**40), Place("x" * 5_000, 1, 1), Place("\0", 1, 1)]
)
def test_s7_a_place_is_one(place: Place) -> None:
    _refused(DefinitionsQuestion(place=place), place=place)


@given(st.text(alphabet=st.characters(), max_size=50), st.integers())
def test_s7_nothing_but_a_refusal_comes_of_any_text(text: str, number: int) -> None:
    asked = SearchQuestion(query=text, repos=(text,), path_globs=(text,), min_commit=text, limit=number)
    with suppress(InvalidQuestionError):
        check_question(asked, LIMITS)
