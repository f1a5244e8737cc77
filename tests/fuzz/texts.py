"""Texts, bytes and JSON values that tend to break programs."""

from typing import Any

from hypothesis import strategies as st

AWKWARD = (
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "\x1b[2J",
    "\x1b]0;t\x07",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\u0301",
    "é",
    "e\u0301",
    "ﬁ",
    "ſ",
    "İ",
    "ß",
    "漢字",
    "\U0001f600",
    "\ud800",
    "\udcff",
    "\\",
    "/",
    "//",
    ".",
    "..",
    "-",
    "--",
    "--help",
    "=",
    "%",
    "%00",
    "%2e%2e%2f",
    "*",
    "**",
    "?",
    "[",
    "[!",
    "]",
    "{",
    "{a,",
    "}",
    "(",
    ")",
    "|",
    "^",
    "$",
    "'",
    '"',
    "`",
    "<",
    ">",
    "&",
    ";",
    "$(id)",
    "!",
    "#",
    "~",
    "@",
    ":",
    "::",
    ",",
    "0",
    "-1",
    "1e999",
    "NaN",
    "true",
    "null",
    "99999999999999999999",
    "a" * 300,
    "({" * 40,
    "((" * 60,
    "not " * 40,
    "a.b" * 50,
)

words = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(max_size=12),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
)
texts = st.lists(words, max_size=8).map("".join)
surrogates = st.text(st.characters(codec=None), max_size=12)  # type: ignore[call-overload]
any_text = st.one_of(texts, surrogates)
sound_text = any_text.map(lambda text: text.encode("utf-8", "replace").decode())
any_bytes = st.one_of(st.binary(max_size=200), any_text.map(lambda t: t.encode("utf-8", "surrogatepass")))

scalars: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    any_text,
)


def json_values(keys: st.SearchStrategy[str] = any_text, leaves: int = 20) -> st.SearchStrategy[Any]:
    """Any JSON value; objects have `keys`."""
    return st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(keys, inner, max_size=5)),
        max_leaves=leaves,
    )


@st.composite
def nested(draw: st.DrawFn, pieces: st.SearchStrategy[tuple[str, str]], inside: st.SearchStrategy[str]) -> str:
    """One pair of pieces repeated around something: what recursion breaks on."""
    opening, closing = draw(pieces)
    depth = draw(st.sampled_from([1, 3, 20, 150, 600, 3_000]))
    return opening * depth + draw(inside) + closing * draw(st.sampled_from([depth, 0]))
