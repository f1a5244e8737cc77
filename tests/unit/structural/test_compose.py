"""Structural search follows its settings: a recorded model, an unknown setting, no model at all."""

from pathlib import Path

import pytest

from headwater.domain.answer import AsOf
from headwater.domain.query_error import InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.settings import SettingsError
from headwater.structural.compose import structural_answering
from headwater.structural.flowgraph.cache import MemoryGraphCache

VIEW = AsOf("r", "refs/heads/main", "c" * 40)
CODE = b"class A { void f(B b) { for (;;) { b.read(1); } b.read(2); } }\n"


def selection(*files: tuple[str, bytes | None]) -> Selection:
    chosen = tuple(SelectedFile(VIEW, path, "java", "b", lambda content=content: content) for path, content in files)
    return Selection((VIEW,), chosen)


def test_files_of_the_selection_are_searched_and_named() -> None:
    answering = structural_answering(MemoryGraphCache(), {})
    report = answering(StructuralQuestion(words="calls of read inside a for loop"), selection(("A.java", CODE)))
    assert [(r.path, r.range.start_line, r.commit) for r in report.results] == [("A.java", 1, VIEW.commit)]
    assert report.as_of == (VIEW,)


def test_f14_a_file_that_is_not_selected_changes_nothing() -> None:
    question = StructuralQuestion(words="calls of read inside a for loop")
    alone = structural_answering(MemoryGraphCache(), {})(question, selection(("A.java", CODE)))
    shared = structural_answering(MemoryGraphCache(), {})
    shared(question, selection(("A.java", CODE), ("Secret.java", CODE.replace(b"read", b"readSecret"))))
    assert shared(question, selection(("A.java", CODE))) == alone


def test_a_file_without_stored_text_is_left_out() -> None:
    answering = structural_answering(MemoryGraphCache(), {})
    assert answering(StructuralQuestion(words="calls of read"), selection(("A.java", None))).results == ()


def test_ask_in_exactly_one_way() -> None:
    answering = structural_answering(MemoryGraphCache(), {})
    with pytest.raises(InvalidQuestionError, match="exactly one way"):
        answering(StructuralQuestion(), selection())
    with pytest.raises(InvalidQuestionError, match="exactly one way"):
        answering(StructuralQuestion(words="x", query="{}"), selection())


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="HEADWATER_STRUCTURAL_MODELL"):
        structural_answering(MemoryGraphCache(), {"HEADWATER_STRUCTURAL_MODELL": "x"})
    with pytest.raises(OSError, match="absent"):
        structural_answering(MemoryGraphCache(), {"HEADWATER_STRUCTURAL_REPLAY": str(tmp_path / "absent")})


def test_the_exact_mode_without_semgrep_says_so() -> None:
    answering = structural_answering(MemoryGraphCache(), {"HEADWATER_STRUCTURAL_SEMGREP": "/nonexistent"})
    question = StructuralQuestion(words="calls of read", exact=True)
    with pytest.raises((UnavailableError, InvalidQuestionError), match=r"(?i)semgrep"):
        answering(question, selection(("A.java", CODE)))
