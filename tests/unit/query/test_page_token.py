"""Page tokens are opaque, sealed, and bound to question and caller."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import SearchQuestion
from headwater.query.page_token import Cursor, PageTokens, fingerprint

TOKENS = PageTokens(b"secret")
PRINT = fingerprint(SearchQuestion(query="q"), "ann")
CURSOR = Cursor(PRINT, (("shop", "refs/heads/main", 3),), (10, 0))


def test_d6_a_token_comes_back_as_it_was() -> None:
    assert TOKENS.open(TOKENS.seal(CURSOR), PRINT) == CURSOR


@given(st.text(), st.lists(st.integers(0, 2**40), max_size=3))
def test_q5_a_token_is_of_letters_and_digits_whatever_it_holds(repo: str, position: list[int]) -> None:
    cursor = Cursor(PRINT, ((repo, "refs/heads/main", 3),), tuple(position))
    token = TOKENS.seal(cursor)
    assert set(token) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    assert TOKENS.open(token, PRINT) == cursor


@given(st.text(max_size=80))
def test_d6_other_text_is_refused(token: str) -> None:
    with pytest.raises(InvalidQuestionError, match="page token"):
        TOKENS.open(token, PRINT)


@given(st.data())
def test_d6_a_changed_token_is_refused(data: st.DataObject) -> None:
    token = TOKENS.seal(CURSOR)
    at = data.draw(st.integers(0, len(token) - 2))  # the last character may hold unused bits
    other = data.draw(st.sampled_from("ABCabc012-_").filter(lambda c: c != token[at]))
    with pytest.raises(InvalidQuestionError):
        TOKENS.open(token[:at] + other + token[at + 1 :], PRINT)


def test_d6_a_token_of_another_server_question_or_caller_is_refused() -> None:
    token = TOKENS.seal(CURSOR)
    with pytest.raises(InvalidQuestionError):
        PageTokens(b"other").open(token, PRINT)
    for question, caller in ((SearchQuestion(query="p"), "ann"), (SearchQuestion(query="q"), "bob")):
        with pytest.raises(InvalidQuestionError, match="another question"):
            TOKENS.open(token, fingerprint(question, caller))


def test_the_fingerprint_leaves_out_what_may_change_between_pages() -> None:
    assert fingerprint(SearchQuestion(query="q", limit=5, timeout_s=1.0, page_token="t"), "ann") == PRINT
