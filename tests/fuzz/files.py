"""What is in a repository's files: any bytes under any name give a document, the same one every time."""

import json
from typing import Any

from hypothesis import strategies as st

from fuzz.target import Target
from fuzz.texts import any_bytes, any_text, json_values, nested
from headwater.ast_chunker.languages.golden import examples
from headwater.ast_chunker.languages.registry import all_languages
from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Document, Status
from headwater.domain.scip.index import read_documents
from headwater.domain.scip.wire import WireError
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

VERSION = PipelineVersion("fuzz", 8)
EXTENSIONS = sorted({*(e for language in all_languages().values() for e in language.extensions), ".ipynb", ".txt", ""})
_PAIRS = st.sampled_from(
    [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("f(", ")"),
        ("{'a':", "}"),
        ("<div>", "</div>"),
        ("if (a) {} else ", ""),
        ("if a:\n ", ""),
        ("a.b().", "c"),
        ("!", ""),
        ("-", ""),
        ("a + ", "b"),
        ("a ? b : ", "c"),
        ("x => ", "x"),
        ("<A<", ">"),
        ("List<", ">"),
        ("class A { ", "}"),
        ("def f():\n ", ""),
        ("`${", "}`"),
        ("f'{", "}'"),
        ("/*", "*/"),
        ("# \n", ""),
        ("not ", ""),
        ("await ", ""),
        ("SELECT (", ")"),
        ("$(", ")"),
        ("<script>", "</script>"),
        ("@a\n", ""),
        ("else if (b) {} ", ""),
        ("case 1: ", ""),
        ("&", ""),
        ("*", ""),
        ("(let [", "])"),
        ("begin ", "end "),
        ("try { ", "}"),
    ]
)
_SAMPLES = [(path.suffix, path.read_bytes()) for path in examples(sorted(all_languages()))]


@st.composite
def _mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    """A sound file with a piece cut out, put twice, or replaced."""
    suffix, content = draw(st.sampled_from(_SAMPLES))
    start = draw(st.integers(0, len(content)))
    end = draw(st.integers(start, min(len(content), start + 200)))
    return suffix, content[:start] + draw(any_bytes) * draw(st.sampled_from([0, 1, 3, 40])) + content[end:]


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


_cells = st.lists(json_values(st.sampled_from(["cell_type", "source", "outputs", "metadata"]), 6), max_size=3)
_notebooks = st.tuples(st.just(".ipynb"), st.builds(lambda cells: _json({"cells": cells, "nbformat": 4}), _cells))
files = st.one_of(
    st.tuples(st.sampled_from(EXTENSIONS), st.one_of(any_bytes, nested(_PAIRS, any_text).map(_utf8))),
    _mutated(),
    _notebooks,
)


def check_file(given: tuple[str, bytes]) -> None:
    suffix, content = given
    path = f"folder/file{suffix}"
    document, text = analyse_file(path, Mode.FILE, hash_blob(content), content, VERSION)
    again, _ = analyse_file(path, Mode.FILE, hash_blob(content), content, VERSION)
    assert document == again, "the same file gave two documents"
    if document.status is Status.INDEXED:
        assert text is not None
        _check_chunks(document, text.encode())


def _check_chunks(document: Document, raw: bytes) -> None:
    at = 0
    for chunk in document.chunks:
        assert at <= chunk.span.start_byte < chunk.span.end_byte <= len(raw), "chunks overlap"
        assert not raw[at : chunk.span.start_byte].removeprefix(b"\xef\xbb\xbf").strip(), "bytes in no chunk"
        at = chunk.span.end_byte
    assert not raw[at:].removeprefix(b"\xef\xbb\xbf").strip(), "bytes in no chunk"


def _varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


_numbers = st.one_of(st.integers(0, 200), st.integers(0, 2**70))
_leaves = st.tuples(st.integers(0, 20), st.one_of(_numbers, any_bytes)).map(lambda f: _field(*f))
_messages = st.recursive(
    _leaves,
    lambda inner: st.tuples(st.integers(1, 6), st.lists(inner, max_size=4)).map(lambda f: _field(f[0], b"".join(f[1]))),
    max_leaves=12,
)


def check_scip(content: bytes) -> None:
    try:
        list(read_documents(content))
    except WireError:
        return


TARGETS = (
    Target("files", files, check_file, 60),
    Target("scip", st.one_of(_messages, any_bytes), check_scip, 60),
)
