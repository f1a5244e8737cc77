"""Any text is a query: fields and quotes are taken out, the rest is text."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.question import MAX_QUERY_BYTES
from headwater.query.classify import classify
from headwater.query.syntax import parse_query


def test_fields_are_taken_out_of_the_text() -> None:
    query = parse_query('retry policy repo:shop ref:main path:src/** -path:*_test.go lang:Go path:"a b/*.py"')
    assert query.text == "retry policy"
    assert query.repos == ("shop",)
    assert query.refs == ("main",)
    assert query.path_globs == ("src/**", "a b/*.py", "!*_test.go")
    assert query.languages == ("go",)


def test_d1_unknown_fields_and_fields_without_value_are_text() -> None:
    for text in ("std::vector", "https://host/x?y=z", "foo(", "(sym:foo)", "f:", "path:", "path::join", "-repo:x"):
        query = parse_query(text)
        assert query.text == text
        assert query.literals == ()


def test_d1_quotes_force_literal_text() -> None:
    query = parse_query('"foo(bar)" baz')
    assert query.literals == ("foo(bar)",)
    assert query.text == "baz"


def test_d1_a_single_quote_mark_is_text() -> None:
    assert parse_query('"').text == '"'
    assert parse_query('say "hello').text == 'say "hello'


def test_d8_a_long_query_is_cut_and_says_so() -> None:
    query = parse_query("at com.example.Foo(Foo.java:1)\n" * 7000)
    assert query.truncated
    assert len(query.text.encode()) <= MAX_QUERY_BYTES


def test_d8_the_cut_is_at_a_character() -> None:
    query = parse_query("é" * MAX_QUERY_BYTES)
    assert query.truncated
    assert set(query.text) == {"é"}


def test_d3_blank_queries_ask_nothing() -> None:
    assert parse_query("").is_empty
    assert parse_query("  \t\n ").is_empty
    assert parse_query('""').text == '""'


@given(st.text(max_size=200))
def test_d1_no_text_raises(text: str) -> None:
    query = parse_query(text)
    if not query.is_empty:
        classify(query)
