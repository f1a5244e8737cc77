"""Each promise of docs/guarantees.md names tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/guarantees.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


@pytest.mark.parametrize(("file", "test"), NAMED, ids=[test for _, test in NAMED])
def test_a_named_test_exists(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text())
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_promise_has_a_number_and_what_holds_it() -> None:
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| **")]
    assert len(rows) >= 10
    for _promise, number, held in rows:
        assert number.strip(), number
        assert "`" in held, held
