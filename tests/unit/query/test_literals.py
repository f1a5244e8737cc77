"""Literals taken out of a pattern occur in everything that it matches."""

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.query.literals import literals_of_regex, literals_of_text

_WORDS = r"""abc foo x . \w \d [a-c] [^x] [[:alpha:]] (?:abc) (foo) (?i) \. \Qa.b\E ^ $ (?P<n>bar) \bword (?i:KEY) \x41
\pL a|b (abc|abd) é ſ \n []a] x{2} (ab){0} \Q\E"""
_ATOMS = st.sampled_from(_WORDS.split())
_QUANTIFIERS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,2}", "+?", "{,3}"])
_PATTERNS = st.lists(st.tuples(_ATOMS, _QUANTIFIERS), min_size=1, max_size=6).map(
    lambda parts: "".join(a + q for a, q in parts)
)
_TEXTS = st.text(st.sampled_from("abcfoxwrdABCKEYkey.é ſs\n{,3}"), max_size=40)


def _compiled(pattern: str, ignore_case: bool) -> "re2._Regexp | None":
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        return re2.compile(f"(?m){pattern}", options)
    except re2.error:
        return None


@settings(max_examples=500, deadline=None)
@given(_PATTERNS, _TEXTS, st.booleans())
def test_each_match_contains_each_literal(pattern: str, text: str, ignore_case: bool) -> None:
    regex = _compiled(pattern, ignore_case)
    match = regex.search(text) if regex is not None else None
    if match is not None:
        found = match.group().lower()
        assert all(literal.lower() in found for literal in literals_of_regex(pattern, ignore_case))


def test_examples() -> None:
    assert literals_of_regex("func (\\w+)Handler\\(", False) == ("func ", "Handler(")
    assert literals_of_regex("colou?r", False) == ("colo",)
    assert literals_of_regex("abc+def", False) == ("abc", "cdef")
    assert literals_of_regex("foo|bar", False) == ()
    assert literals_of_regex("(foobar)+", False) == ("foobar",)
    assert literals_of_regex("(foobar)*", False) == ()
    assert literals_of_regex("[[:alpha:]]xyz", False) == ("xyz",)
    assert literals_of_regex("\\Qa.b(c\\E", False) == ("a.b(c",)


def test_a_quantifier_belongs_to_the_operand_before_flags_and_empty_quotes() -> None:
    assert literals_of_regex("(?:abc)(?i)*", False) == ()
    assert literals_of_regex("(?:abc)\\Q\\E*", False) == ()


def test_case_folding_cuts_where_unicode_has_twins() -> None:
    assert literals_of_regex("class", True) == ("cla",)
    assert literals_of_text("Handler", True) == ("Handler",)
    assert literals_of_text("line one\nline two", False) == ("line one", "line two")
