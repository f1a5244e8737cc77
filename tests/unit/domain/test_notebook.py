"""Notebooks: the cells' source and nothing else, on the lines of the .ipynb file."""

import json
from typing import Any

import pytest

from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Document
from headwater.domain.notebook import read_notebook
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion


def code(*source: str, outputs: list[Any] | None = None) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": outputs or [],
        "source": list(source),
    }


def notebook(*cells: dict[str, Any], language: str = "python") -> dict[str, Any]:
    return {
        "cells": list(cells),
        "metadata": {"kernelspec": {"language": language}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def analyse(content: str) -> tuple[Document, str]:
    raw = content.encode()
    document, text = analyse_file("a.ipynb", Mode.FILE, hash_blob(raw), raw, PipelineVersion("test", 8))
    assert text is not None
    return document, text


def test_a18_only_cells_are_indexed_and_magic_lines_are_tolerated() -> None:
    outputs = [{"data": {"image/png": "A" * 2_000_000, "text/plain": ["secret_output"]}, "output_type": "display_data"}]
    cell = code("%matplotlib inline\n", "!pip install x\n", "def load(path):\n", "    return path\n", outputs=outputs)
    raw = json.dumps(notebook(cell, code("load('é')")), indent=1, ensure_ascii=False)
    document, text = analyse(raw)
    assert "secret_output" not in text
    assert "AAAA" not in text
    (load,) = [s for s in document.facts.symbols if s.name == "load"]
    assert document.facts.parse_errors == 0
    assert [r.target for r in document.facts.references if r.name == "load"] == [document.facts.symbols.index(load)]
    assert "%matplotlib inline" in text


def test_lines_are_those_of_the_file() -> None:
    raw = json.dumps(notebook(code("x = 1\n", "def load():\n", "    pass")), indent=1)
    document, text = analyse(raw)
    file_line = next(i for i, line in enumerate(raw.split("\n"), 1) if "def load" in line)
    load = next(s for s in document.facts.symbols if s.name == "load")
    assert (load.at.line, load.at.col) == (file_line, 5)
    assert document.lines == len(raw.split("\n"))
    assert text.count("\n") == document.lines


def test_a_notebook_on_one_line_keeps_its_code() -> None:
    document, text = analyse(json.dumps(notebook(code("a = 1\n", "b = a"), code("c = b"))))
    assert text.split("\n")[:3] == ["a = 1", "b = a", "c = b"]
    assert [s.name for s in document.facts.symbols] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a = 1\nb = 2", "a = 1\nb = 2\n"),
        (["a =", " 1\n", "b"], "a = 1\nb\n"),
        ("%%bash\nls", "# %%bash\n# ls\n"),
        ("%%time\nx = 1", "# %%time\nx = 1\n"),
        ("obj?", "# obj?\n"),
        ("x = 5 % 3", "x = 5 % 3\n"),
        ("", ""),
    ],
)
def test_sources(source: Any, text: str) -> None:
    cell = {"cell_type": "code", "source": source}
    read = read_notebook(json.dumps(notebook(cell)))
    assert read is not None
    assert read.text.lstrip("\n") == text


def test_text_cells_become_comments_and_the_kernel_names_the_language() -> None:
    cells = notebook({"cell_type": "markdown", "source": ["# Title"]}, code("val x = 1"), language="Scala")
    read = read_notebook(json.dumps(cells))
    assert read is not None
    assert (read.text, read.language) == ("// # Title\nval x = 1\n", "scala")


@pytest.mark.parametrize("content", ["{nope", "[]", "{}", '{"cells": 1}', '"x"', ""])
def test_what_is_no_notebook_is_chunked_by_lines(content: str) -> None:
    document, text = analyse(content)
    assert text == content
    assert document.facts.language == "text"
