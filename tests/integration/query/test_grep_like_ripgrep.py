"""Regular expressions find the lines that ripgrep finds, and nothing that the index rules out beforehand."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import GrepQuestion
from headwater.query.engine import Engine
from headwater.query.grep import compile_pattern
from support.small_index import SmallIndex

TEXTS = {
    "lf.txt": "abc x\nxx\n\nfoo bar x\n Straße STRASSE ſ K Kelvin\nlast x",
    "crlf.txt": "abc x\r\nxx\r\n\r\nfoo bar x\r\nabc\r\nlast x\r\n",
    "mixed.txt": "abc x\r\nxx\nfoo\rbar x\r\n\u2028x\u2029abc\x0cabc\x85x\n",
}
# Not compared: \s, \w and \b beyond ASCII, and (?-m), in which RE2 differs and docs/api.md says so.
_WRITTEN = r"""
x$ ^x ^x$ ^$ abc$ \bx\b .$ .+$ ^abc (?i)strasse (?i)ſ (?i)k (?s)a.c a.*x x* [^a]$ \s$ \w+$ \Babc
\x78$ a|x$ (x|)$ foo\rbar x\r [[:space:]]x \pL$ \p{Lu} x
.{3}x [^\n]x \d? é|x$ (abc){1,2}
"""
HOSTILE = _WRITTEN.split()


@pytest.fixture
def texts(engine: Engine, index: SmallIndex) -> Engine:
    index.commit(TEXTS, repo="texts")
    return engine


def _found(engine: Engine, pattern: str, **more: object) -> set[tuple[str, int]]:
    question = GrepQuestion(pattern=pattern, regex=True, repos=("texts",), limit=500, **more)  # type: ignore[arg-type]
    return {(r.path, r.range.start_line) for r in engine.grep(question).results}


@pytest.mark.skipif(shutil.which("rg") is None, reason="needs ripgrep")
@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("flags", [(), ("-i",)])
def test_q3_the_lines_that_ripgrep_finds(texts: Engine, tmp_path: Path, pattern: str, flags: tuple[str, ...]) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_bytes(text.encode())
    crlf = () if "\\r" in pattern else ("--crlf",)
    line = [
        "rg",
        "-onb",
        "--text",
        "--no-config",
        "--no-heading",
        "--with-filename",
        *crlf,
        *flags,
        "-e",
        pattern,
        *(f"./{name}" for name in TEXTS),
    ]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, timeout=30, check=False)
    rows = (row.split(b":", 3) for row in re.split(rb"(?m)\n(?=\./)", done.stdout) if row)
    found = {(p.removeprefix(b"./").decode(), int(n)) for p, n, _, match in rows if match.strip(b"\r\n")}
    assert _found(texts, pattern, ignore_case=bool(flags)) == found, done.stderr


@pytest.mark.parametrize(
    "pattern", [r"\C", r"a\Cb", "a\udcff", "", " ", "(?=x)", r"(?<!x)y", r"(x)\1", "(a{1000}){1000}", "(", "x**"]
)
def test_q3_what_ripgrep_refuses_is_refused_with_advice(pattern: str) -> None:
    with pytest.raises(InvalidQuestionError, match=r": \S"):
        compile_pattern(GrepQuestion(pattern=pattern, regex=True))


_ATOMS = r"a b x . \w \s [^x] (?:ab) (?i) \Qa.\E ^ $ \b (ab|b) [a-c] abc \x61 (?i:ABC) \r \pL ſ k"
ATOMS = st.sampled_from([*_ATOMS.split(), " "])
QUANTIFIERS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,2}", "*?", "{1,}"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(ATOMS, QUANTIFIERS), min_size=1, max_size=6), st.booleans(), st.booleans())
def test_q3_the_index_never_loses_a_match(
    texts: Engine, parts: list[tuple[str, str]], ignore_case: bool, multiline: bool
) -> None:
    pattern = "".join(atom + quantifier for atom, quantifier in parts)
    question = GrepQuestion(pattern=pattern, regex=True, ignore_case=ignore_case, multiline=multiline)
    try:
        compiled = compile_pattern(question)
    except InvalidQuestionError:
        return
    whole = {
        path
        for path, text in TEXTS.items()
        for body in ([text] if multiline or not compiled.crlf else [text.replace("\r\n", "\n")])
        if any(m.start() < m.end() for m in compiled.regex.finditer(body.encode()))
    }
    assert {path for path, _ in _found(texts, pattern, ignore_case=ignore_case, multiline=multiline)} == whole


def test_q3_places_in_a_crlf_file_are_those_of_its_bytes(texts: Engine) -> None:
    question = GrepQuestion(pattern="last x$", regex=True, repos=("texts",), path_globs=("crlf.txt",))
    (found,) = texts.grep(question).results
    place = found.range
    assert (place.start_line, place.start_col, place.end_line, place.end_col) == (6, 1, 6, 7)
    assert found.snippet.startswith("last x")
