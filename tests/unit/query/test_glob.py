"""Glob rules, as docs/api.md states them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.query.glob import PathFilter


@pytest.mark.parametrize(
    ("glob", "path", "admitted"),
    [
        ("*.py", "a/b/c.py", True),
        ("*.py", "a/b/c.pyi", False),
        ("/*.py", "c.py", True),
        ("/*.py", "a/c.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/x/a.py", False),
        ("src/*.py", "lib/src/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("**/test/*", "a/test/b", True),
        ("docs", "x/docs/a/b.md", True),
        ("docs/", "docs", False),
        ("docs/", "docs/a.md", True),
        ("file?.txt", "file1.txt", True),
        ("file?.txt", "file/.txt", False),
        ("[a-c].py", "b.py", True),
        ("[!a-c].py", "b.py", False),
        ("[^a-c].py", "x.py", True),
        ("*.{ts,tsx}", "a.tsx", True),
        ("*.{ts,tsx}", "a.js", False),
        ("{a,b}/{c,d}", "b/c", True),
        ("a{b", "a{b", True),
        ("\\{a,b\\}", "{a,b}", True),
        ("\\*.py", "*.py", True),
        ("\\*.py", "a.py", False),
        ("a+b(c)", "a+b(c)", True),
    ],
)
def test_rules(glob: str, path: str, admitted: bool) -> None:
    assert PathFilter([glob]).admits(path) is admitted


def test_d7_brackets_are_a_class_and_a_backslash_escapes_them() -> None:
    route = "app/[id]/page.ts"
    assert not PathFilter(["**/[id]/*"]).admits(route)
    assert PathFilter(["**/[id]/*"]).admits("app/i/page.ts")
    assert PathFilter(["**/\\[id\\]/*"]).admits(route)
    assert not PathFilter(["**/\\[id\\]/*"]).admits("app/i/page.ts")
    assert PathFilter(["**/[[]id]/*"]).admits(route)
    assert PathFilter(["*.ts"]).admits(route)


def test_d7_an_unclosed_bracket_stands_for_itself() -> None:
    assert PathFilter(["a[b"]).admits("a[b")


def test_exclusion_wins() -> None:
    only = PathFilter(["src/**", "!*_test.py"])
    assert only.admits("src/a.py")
    assert not only.admits("src/a_test.py")
    assert not only.admits("lib/a.py")
    assert PathFilter(["!vendor/"]).admits("src/a.py")


@pytest.mark.parametrize("path", ["it's.py", "back\\", "new\nline.py", "tab\t.py", "漢字/é.py"])
def test_d10_any_path_can_be_named_exactly(path: str) -> None:
    escaped = "/" + "".join("\\" + c if c in "\\*?[{" else c for c in path)
    assert PathFilter([escaped]).admits(path)
    assert not PathFilter([escaped]).admits(path + "x")


@given(st.text(max_size=60), st.text(max_size=30))
def test_every_text_is_a_glob(glob: str, path: str) -> None:
    PathFilter([glob]).admits(path)
