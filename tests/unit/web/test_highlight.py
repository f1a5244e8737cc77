"""Classified tokens are the code itself: nothing is lost, and columns are the file's."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.domain.answer import Range, Result
from headwater.web.highlight import Line, lines_of

LANGUAGES = ("python", "java", "go", "typescript", "php", "no such language")


def _result(snippet: str, language: str = "python", line: int = 7, col: int = 1, kind: str = "function") -> Result:
    at = Range(line, col, col, line, col, col)
    return Result(
        repo="r",
        ref="m",
        commit="c",
        path="p",
        language=language,
        range=at,
        kind=kind,
        snippet=snippet,
        snippet_line=line,
    )


def _text(line: Line) -> str:
    return "".join(text for _, text in line[2])


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=300),
    st.sampled_from(LANGUAGES),
)
def test_the_tokens_are_the_code(code: str, language: str) -> None:
    shown = lines_of(_result(code, language))
    given_lines = code.rstrip("\n").split("\n") if code else []
    assert len(shown) <= len(given_lines)
    for (number, start, tokens), line in zip(shown, given_lines, strict=False):
        assert line[start - 1 :] == _text((number, start, tokens))


def test_shared_indentation_goes_and_columns_stay() -> None:
    """A method's snippet starts behind its indentation."""
    (first, second) = lines_of(_result("def f():\n        return 1\n", col=5))
    assert (first[0], first[1], _text(first)) == (7, 5, "def f():")
    assert (second[0], second[1], _text(second)) == (8, 5, "    return 1")


def test_tabs_are_indentation_too() -> None:
    (first, second) = lines_of(_result("func f() {\n\t\treturn\n", "go", col=2))
    assert (_text(first), _text(second)) == ("func f() {", "\treturn")


def test_names_and_strings_are_told_apart() -> None:
    ((_, _, tokens),) = lines_of(_result("return find('x')", kind="match"))
    assert [t for t in tokens if t[0]] == [("k", "return"), ("n", "find"), ("s", "'x'")]


def test_a_cut_out_of_a_long_line_has_no_columns() -> None:
    ((_, start, _),) = lines_of(_result("x" * 700, kind="match"))
    assert start == 0
