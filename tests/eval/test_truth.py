"""Resolution against the compilers' truth tables: nothing missed, and almost nothing too much."""

import os
from functools import cache
from pathlib import Path

import pytest
from tests.support.marked_sources import facts_of

from headwater.evaluation.corpus import MemoryCorpus, read_files
from headwater.evaluation.truth import measure, sum_up
from headwater.evaluation.truth_table import TruthTable

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "golden"
CORPORA = Path(os.environ.get("HEADWATER_CORPORA", ROOT / ".cache" / "corpora"))
SAMPLE = 7  # each seventh definition: seconds instead of half a minute

ROWS = [  # corpus, language, recall and precision that the sample has to reach
    ("requests-2.32.3", "python", 1.0, 0.97),
    ("bbolt-1.4.3", "go", 1.0, 0.99),
    ("commons-lang3-3.17.0", "java", 1.0, 0.99),
    ("rxjs-7.8.2", "typescript", 1.0, 0.95),
]


@cache
def corpus_of(name: str, files: tuple[str, ...]) -> MemoryCorpus:
    return MemoryCorpus(read_files(CORPORA / name, files), facts_of)


@pytest.mark.shared
@pytest.mark.parametrize(("name", "language", "recall", "precision"), ROWS)
def test_usages_are_complete_and_precise(name: str, language: str, recall: float, precision: float) -> None:
    if not (CORPORA / name).is_dir() or not (SHARED / "truth").is_dir():
        pytest.skip(f"no {CORPORA / name}: run 'make corpora' (or set HEADWATER_CORPORA)")
    table = TruthTable(SHARED / "truth", name, language)
    total = sum_up(measure(table, corpus_of(name, tuple(table.files)), SAMPLE))["all"]
    assert total.recall >= recall
    assert total.precision >= precision
