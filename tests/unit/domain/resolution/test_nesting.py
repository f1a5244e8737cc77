"""Types and expressions that nest deep are not understood, whatever the stack of the caller still holds."""

import pytest

from headwater.domain.resolution.expression import OPAQUE
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.type_syntax import parse_type
from headwater.domain.resolution.type_tree import OTHER

N = 3_000
LANGUAGES = ("python", "java", "go", "typescript", "rust")
EXPRESSIONS = (
    *("(" * N + "a" + ")" * N, "[" * N + "]" * N, "f(" * N + ")" * N, "not " * N + "a", "await " * N + "a"),
    *("mut " * N + "a", "a => " * N + "a", "a = " * N + "a", "a ? b : " * N + "a", "a if b else " * N + "a"),
    *("lambda: " * N + "a", "a" + ".b()" * N, "a" + " + a" * N, "a" + "[0]" * N, "{a: " * N + "1" + "}" * N),
    *("<A>" * N + "a", "new A(" * N + ")" * N, "a" + " ** a" * N, "-" * N + "a", "&" * N + "a"),
)
TYPES = (
    *("(" * N + "a" + ")" * N, "[" * N + "a" + "]" * N, "A<" * N + "a" + ">" * N, "A[" * N + "a" + "]" * N),
    *("keyof " * N + "a", "infer " * N + "a", "a extends b ? c : " * N + "a", "{a:" * N + "a" + "}" * N),
    *("*" * N + "a", "chan " * N + "a", "map[a]" * N + "a", "func() " * N + "a", "() => " * N + "a"),
    *("fn()->" * N + "a", "Vec<A=" * N + "a" + ">" * N, "? extends " * N + "a", "([a" + ")" * N + "]" + "(" * N),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_s6_expressions_that_nest_deep_raise_nothing(language: str) -> None:
    assert all(parse_expression(text, language) is not None for text in EXPRESSIONS)
    assert parse_expression(EXPRESSIONS[0], language) == OPAQUE


@pytest.mark.parametrize("language", LANGUAGES)
def test_s6_types_that_nest_deep_raise_nothing(language: str) -> None:
    assert all(parse_type(text, language) is not None for text in TYPES)
    assert parse_type(TYPES[0], language) == OTHER
