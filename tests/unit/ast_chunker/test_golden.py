"""Every example of every language folder says what is written beside it."""

from pathlib import Path

import pytest

from headwater.ast_chunker.languages.golden import examples, expected_path, render


@pytest.mark.parametrize("example", examples([]), ids=lambda p: f"{p.parent.parent.name}-{p.name}")
def test_example_has_its_expected_facts(example: Path) -> None:
    assert render(example) == expected_path(example).read_text("utf-8")
