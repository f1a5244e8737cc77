"""Terms weigh by where they stand, and without their key nobody reads or makes them."""

from headwater.domain.document import Chunk, Span
from headwater.domain.terms import chunk_terms, keyed_term, keyed_terms


def test_the_own_name_weighs_more_than_the_header_and_the_body() -> None:
    chunk = Chunk("0" * 32, "function", -1, Span(0, 0, 1, 1, 1, 1, 1, 1), 0, ("Server", "getUser"), "says hello")
    terms = chunk_terms("pkg/mod.py", chunk, "user = get(user)")
    assert terms == {"user": 6, "get": 5, "server": 2, "pkg": 2, "mod": 2, "py": 2, "says": 2, "hello": 2}


def test_a_key_hides_the_word_and_keeps_the_count() -> None:
    hidden = keyed_terms({"password": 3}, "a key")
    assert list(hidden.values()) == [3]
    assert hidden == {keyed_term("password", "a key"): 3}
    assert keyed_term("password", "a key") != keyed_term("password", "another key")
    assert "pass" not in keyed_term("password", "a key")
    assert keyed_terms({"password": 3}, "") == {"password": 3}
