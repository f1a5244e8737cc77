"""The parsers of expression and type texts: what they understand, and that no text breaks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.resolution.expression import (
    OPAQUE,
    Call,
    Cast,
    Choice,
    Construct,
    Index,
    Lambda,
    Literal,
    Member,
    Name,
    Unary,
)
from headwater.domain.resolution.expression_parser import parse_expression
from headwater.domain.resolution.type_syntax import parse_type
from headwater.domain.resolution.type_tree import Either, Function, ListOf, MapOf, Named, Tuple

LANGUAGES = ("python", "java", "go", "typescript", "rust")
NUMBER = Literal("number")
ALPHABET = "ab.()[]{}<>,:;=+-*/%&|!?'\"`#@ \n\t0…_λ"


@pytest.mark.parametrize(
    ("language", "text", "tree"),
    [
        ("python", "f(b, c=1)[0].d", Member(Index(Call(Name("f"), (Name("b"), NUMBER)), NUMBER), "d")),
        ("python", "a if b else C()", Choice(Name("a"), Call(Name("C"), ()))),
        ("java", "((Foo) x).bar", Member(Cast("Foo", Name("x")), "bar")),
        ("java", "new A<B>(1).c", Member(Construct("A<B>", (Literal("number"),)), "c")),
        ("java", "(a, b) -> a.c()", Lambda(2)),
        ("java", "int[]::new", Lambda(1)),
        ("go", "&Foo{A: 1}", Unary("&", Construct("Foo"))),
        ("go", "x.(*Foo).y", Member(Cast("*Foo", Name("x")), "y")),
        ("go", "[]struct{}{}", Construct("[]struct{}")),
        ("go", "map[string]Foo{}", Construct("map[string]Foo")),
        ("typescript", "a?.b!.c as D", Cast("D", Member(Member(Name("a"), "b"), "c"))),
        ("typescript", "f<A>(x => 1)", Call(Name("f"), (Lambda(1),), ("A",))),
        ("typescript", "a < b", None),
        ("rust", "self.a()?.b", Member(Call(Member(Name("self"), "a"), ()), "b")),
        ("rust", "A::new(|x| x.y, 1)", Call(Member(Name("A"), "new"), (Lambda(), Literal("number")))),
        ("python", "broken(", OPAQUE),
    ],
)  # fmt: skip
def test_expressions(language: str, text: str, tree: object) -> None:
    found = parse_expression(text, language)
    assert found == tree if tree is not None else found != OPAQUE


@pytest.mark.parametrize(
    ("language", "text", "tree"),
    [
        ("python", 'Optional["Foo"]', Either((Named("Foo"),))),
        ("python", "dict[str, list[Foo]]", MapOf(Named("str"), ListOf(Named("Foo")))),
        ("java", "Map<String, ? extends A[]>", Named("Map", (Named("String"), ListOf(Named("A"))))),
        ("java", "A.B<C>.D", Named("A.B.D", (Named("C"),))),
        ("go", "map[string]chan *x.Foo", MapOf(Named("string"), ListOf(Named("x.Foo")))),
        ("go", "(n int, err error)", Tuple((Named("int"), Named("error")))),
        ("typescript", "(this: A, b: B<C>) => D[]", Function((Named("B", (Named("C"),)),), ListOf(Named("D")))),
        ("typescript", "Partial<A> | null", Either((Named("A"), Named("null")))),
        ("rust", "&'a mut Option<Vec<crate::x::Foo>>", ListOf(Named("crate.x.Foo"))),
        ("rust", "Box<dyn Fn(A) -> B>", Function((Named("A"),), Named("B"))),
    ],
)
def test_types(language: str, text: str, tree: object) -> None:
    assert parse_type(text, language) == tree


@given(st.text(ALPHABET, max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_is_parsed_or_opaque(text: str, language: str) -> None:
    parse_expression(text, language)
    parse_type(text, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "unit", ["(", "[", "{", "!", "a.b(", "new ", "<", "x => ", "*", "map[", "func(", "|", "&", "Vec<"]
)
def test_deep_nesting_ends(language: str, unit: str) -> None:
    parse_expression(unit * 120, language)
    parse_type(unit * 120, language)
