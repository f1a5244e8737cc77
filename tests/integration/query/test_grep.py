"""Text search equals a plain scan."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import GrepQuestion
from headwater.query.engine import Engine
from support.small_index import SmallIndex

TEXTS = {
    "a.txt": "one two\nThree FOUR\nfünf sechs\n",
    "b.txt": "foo(bar)\nfoo.bar\n\n漢字 ab\n",
    "c.txt": "tail without line end: ſ K Σας",
}


def _grep(engine: Engine, pattern: str, **more: object) -> list[tuple[str, int, int, int, int]]:
    answer = engine.grep(GrepQuestion(pattern=pattern, repos=("texts",), limit=500, **more))  # type: ignore[arg-type]
    places = [(r.path, r.range) for r in answer.results]
    return [(path, p.start_line, p.start_col, p.end_line, p.end_col) for path, p in places]


def _scan(regex: "re.Pattern[str]") -> list[tuple[str, int, int, int, int]]:
    found = []
    for path, text in TEXTS.items():
        for match in regex.finditer(text):
            if match.group():
                found.append((path, *_place(text, match.start()), *_place(text, match.end())))
    return found


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


@pytest.fixture
def texts(engine: Engine, index: SmallIndex) -> Engine:
    index.commit(TEXTS, repo="texts")
    return engine


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("aobrfou()nüe. 漢字ABſKΣ"), min_size=1, max_size=4).filter(str.strip))
def test_literal_search_equals_a_scan(texts: Engine, pattern: str) -> None:
    assert _grep(texts, pattern) == _scan(re.compile(re.escape(pattern)))


@pytest.mark.parametrize("pattern", ["fo+", "^foo", "bar$", "[a-z]+ü?", "(one|Three) \\w+", "\\(", "(?i)three", "e.s"])
def test_regex_search_equals_a_scan(texts: Engine, pattern: str) -> None:
    assert _grep(texts, pattern, regex=True) == _scan(re.compile(pattern, re.MULTILINE | re.ASCII))


def test_matches_stay_on_a_line_unless_asked(texts: Engine) -> None:
    assert _grep(texts, "two\\s+Three", regex=True) == []
    assert _grep(texts, "two\\s+Three", regex=True, multiline=True) == [("a.txt", 1, 5, 2, 6)]
    assert _grep(texts, "one.*sechs", regex=True, multiline=True) == [("a.txt", 1, 1, 3, 11)]
    assert _grep(texts, "two\nThree") == [("a.txt", 1, 5, 2, 6)]


def test_case_is_ignored_on_request(texts: Engine) -> None:
    assert _grep(texts, "FOO") == []
    assert len(_grep(texts, "FOO", ignore_case=True)) == 2


def test_d3_two_cjk_characters(texts: Engine) -> None:
    assert _grep(texts, "漢字") == [("b.txt", 4, 1, 4, 3)]


def test_d9_a_nested_quantifier_takes_linear_time(engine: Engine) -> None:
    started = time.monotonic()
    answer = engine.grep(GrepQuestion(pattern="(a+)+$", regex=True, path_globs=("notes.txt",), timeout_s=5))
    assert answer.results == ()
    assert answer.complete
    assert time.monotonic() - started < 5  # the deadline, not a measurement: backtracking would take years


def test_d9_a_tiny_budget_gives_a_part_and_says_so(engine: Engine) -> None:
    answer = engine.grep(GrepQuestion(pattern="a", limit=7))
    assert len(answer.results) == 7
    assert not answer.complete
    assert answer.next_page_token


@pytest.mark.parametrize("pattern", ["(", "a{5000}", "[", "(?<=x)y", "\\1", "*"])
def test_bad_regular_expressions_say_what_to_do(engine: Engine, pattern: str) -> None:
    with pytest.raises(InvalidQuestionError, match=r"RE2 regular expression \([^']+\)"):
        engine.grep(GrepQuestion(pattern=pattern, regex=True))


@pytest.mark.parametrize("pattern", ["", " ", "x" * 9000])
def test_d3_empty_and_endless_patterns(engine: Engine, pattern: str) -> None:
    with pytest.raises(InvalidQuestionError):
        engine.grep(GrepQuestion(pattern=pattern))
