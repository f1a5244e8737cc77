"""Structural search follows its settings and its caller: what is selected, the limit, the deadline; and its parts."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from headwater.domain.answer import AsOf, StructuralReport
from headwater.domain.query_error import DeadlinePassedError, InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.settings import SettingsError
from headwater.structural.answering import CUT_SHORT, StructuralAnswering
from headwater.structural.compose import structural_answering

VIEW = AsOf("r", "refs/heads/main", "c" * 40)
CODE = b"class A { void f(B b) { for (;;) { b.read(1); } b.read(2); } }\n"
LOOPED = StructuralQuestion(words="calls of read inside a for loop")


def made(environ: Mapping[str, str] | None = None) -> StructuralAnswering:
    return structural_answering(environ or {})


def report(answering: StructuralAnswering, question: StructuralQuestion, chosen: Selection) -> StructuralReport:
    return StructuralReport.joined(answering(question, chosen))


def selected(path: str, content: bytes | None) -> SelectedFile:
    return SelectedFile(VIEW, path, "java", f"{hash(content):x}", lambda: content)


def selection(*files: tuple[str, bytes | None]) -> Selection:
    return Selection((VIEW,), tuple(selected(path, content) for path, content in files))


def test_files_of_the_selection_are_searched_and_named() -> None:
    found = report(made(), LOOPED, selection(("A.java", CODE)))
    assert [(r.path, r.range.start_line, r.commit) for r in found.results] == [("A.java", 1, VIEW.commit)]
    assert found.as_of == (VIEW,)


def test_matches_come_file_by_file_after_the_query_and_before_what_is_known_last() -> None:
    files = selection(("A.java", CODE), ("B.java", CODE), ("C.java", CODE + CODE.replace(b"A", b"D")))
    parts = list(made()(StructuralQuestion(words="calls of read"), files))
    assert [[r.path for r in part.results] for part in parts] == [
        [],
        ["A.java"] * 2,
        ["B.java"] * 2,
        ["C.java"] * 4,
        [],
    ]
    assert parts[0].rendered == "Find every call to `read`."
    assert [part.complete for part in parts] == [False, False, False, False, True]


def test_a_limit_makes_the_answer_partial() -> None:
    files = selection(("A.java", CODE), ("B.java", CODE))
    four = report(made(), StructuralQuestion(words="calls of read", limit=4), files)
    three = report(made(), StructuralQuestion(words="calls of read", limit=3), files)
    assert (len(four.results), four.complete) == (4, True)
    assert (len(three.results), three.complete) == (3, False)


def test_the_deadline_cuts_the_search_short_and_says_so() -> None:
    answering, files = made(), selection(("A.java", CODE), ("B.java", CODE))
    report(answering, LOOPED, files)
    left = [1.0]
    parts = answering(LOOPED, files, lambda: left[0])
    assert next(parts).rendered
    left[0] = 0.0
    assert [(part.complete, part.problems) for part in parts] == [(False, (CUT_SHORT,))]


def test_a_deadline_before_the_question_is_understood_is_an_error() -> None:
    with pytest.raises(DeadlinePassedError, match="more time"):
        list(made()(LOOPED, selection(("A.java", CODE)), lambda: 0.0))


def test_what_is_prepared_needs_no_text_to_be_searched(tmp_path: Path) -> None:
    first = structural_answering({}, tmp_path)
    first.prepare(selection(("A.java", CODE)))
    read: list[str] = []

    def text(path: str) -> bytes:
        read.append(path)
        return CODE

    files = [SelectedFile(VIEW, p, "java", f"{hash(CODE):x}", lambda p=p: text(p)) for p in ("A.java", "B.java")]  # type: ignore[misc]
    second = structural_answering({}, tmp_path)
    found = report(second, StructuralQuestion(words="for loops"), Selection((VIEW,), tuple(files)))
    assert [r.path for r in found.results] == ["A.java", "B.java"]
    assert read == ["A.java", "B.java"]  # for the lines shown


def test_f14_a_file_that_is_not_selected_changes_nothing() -> None:
    alone = report(made(), LOOPED, selection(("A.java", CODE)))
    shared = made()
    report(shared, LOOPED, selection(("A.java", CODE), ("Secret.java", CODE.replace(b"read", b"readSecret"))))
    assert report(shared, LOOPED, selection(("A.java", CODE))) == alone


def test_a_file_without_stored_text_is_left_out() -> None:
    assert report(made(), StructuralQuestion(words="calls of read"), selection(("A.java", None))).results == ()


def test_ask_in_exactly_one_way() -> None:
    with pytest.raises(InvalidQuestionError, match="exactly one way"):
        list(made()(StructuralQuestion(), selection()))
    with pytest.raises(InvalidQuestionError, match="exactly one way"):
        list(made()(StructuralQuestion(words="x", query="{}"), selection()))


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="HEADWATER_STRUCTURAL_MODELL"):
        made({"HEADWATER_STRUCTURAL_MODELL": "x"})
    with pytest.raises(OSError, match="absent"):
        made({"HEADWATER_STRUCTURAL_REPLAY": str(tmp_path / "absent")})


def test_the_exact_mode_without_semgrep_says_so() -> None:
    answering = made({"HEADWATER_STRUCTURAL_SEMGREP": "/nonexistent"})
    question = StructuralQuestion(words="calls of read", exact=True)
    with pytest.raises((UnavailableError, InvalidQuestionError), match=r"(?i)semgrep"):
        report(answering, question, selection(("A.java", CODE)))
