"""Indexes that scip-typescript 0.4 and scip-python 0.6 made of the sample sources, read and asked."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.marked_sources import facts_of

from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.usages import Usages
from headwater.domain.scip.compiled import Compiled, code_points, compile_index
from headwater.domain.scip.index import UTF8, UTF16, UTF32, read_documents
from headwater.domain.scip.wire import WireError
from headwater.evaluation.corpus import MemoryCorpus

SAMPLES = Path(__file__).parent / "examples"


def corpus(language: str, prefix: str) -> MemoryCorpus:
    files = {prefix + f.name: f.read_bytes() for f in sorted((SAMPLES / language).iterdir()) if f.is_file()}

    def lines(path: str) -> list[str] | None:
        return files[path].decode().split("\n") if path in files else None

    index = compile_index(read_documents((SAMPLES / f"{language}.scip").read_bytes()), lines)
    return MemoryCorpus(files.items(), facts_of, Compiled(index))


def usages(at: MemoryCorpus, path: str, line: int, col: int) -> list[tuple[str, int, int, str]]:
    document = at.document_at(path)
    assert document is not None
    symbols = at.facts(document).symbols
    number = next(i for i, s in enumerate(symbols) if (s.at.line, s.at.col) == (line, col))
    found = Usages(at).of([SymbolId(document, number)])
    assert all(u.resolved for u in found)
    return [(at.path(u.document), u.at.line, u.at.col, str(u.kind)) for u in found]


def test_a_compiler_tells_what_this_is_in_a_callback() -> None:
    made = corpus("typescript", "src/")
    assert usages(made, "src/a.ts", 2, 40) == [("src/a.ts", 5, 51, "call")]


def test_columns_behind_wide_characters_and_implementations() -> None:
    made = corpus("typescript", "src/")
    assert usages(made, "src/a.ts", 1, 26) == [("src/a.ts", 2, 40, "override"), ("src/a.ts", 4, 70, "call")]


def test_python_members_through_aliases_and_untyped_functions() -> None:
    assert usages(corpus("python", "pkg/"), "pkg/a.py", 2, 9) == [
        ("pkg/a.py", 9, 25, "call"),
        ("pkg/a.py", 10, 15, "call"),
        ("pkg/b.py", 4, 9, "override"),
        ("pkg/b.py", 5, 17, "call"),
    ]


def test_files_that_the_commit_lacks_are_left_out() -> None:
    documents = list(read_documents((SAMPLES / "python.scip").read_bytes()))
    assert compile_index(documents, lambda _path: None).files == {}


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(WireError):
        list(read_documents(data))


@pytest.mark.parametrize(("encoding", "offset"), [(UTF8, 8), (UTF16, 5), (UTF32, 4), (0, 5)])
def test_offsets_in_every_encoding(encoding: int, offset: int) -> None:
    assert code_points("é 𝒳 name", offset, encoding) == 4
