"""The exact mode on the real semgrep: through the command and as a stream, equal to what the flow graph finds."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwater.domain.answer import AsOf, StructuralReport
from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.structural.answering import CUT_SHORT, StructuralAnswering
from headwater.structural.flowgraph.cache import MemoryGraphCache
from headwater.structural.semgrep.program import SemgrepProgram, find_program
from support.program import Program

ENVIRONMENT = Path(__file__).parents[3] / ".stack/semgrep"
PROGRAM = find_program(ENVIRONMENT)
pytestmark = [
    pytest.mark.stack,
    pytest.mark.skipif(PROGRAM is None, reason="semgrep is not installed: make stack-semgrep"),
]
VIEW = AsOf("r", "refs/heads/main", "c" * 40)
CODE = """class Reader {
    void drain(Stream in) {
        while (in.more()) {
            in.read(1);
        }
        in.read(2);
    }
}
"""
RULE = """rules:
- id: reads
  languages: [java]
  message: reads
  severity: INFO
  pattern: $X.read(2)
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.env["HEADWATER_STRUCTURAL_SEMGREP"] = str(ENVIRONMENT)
    made.git.commit({"src/Reader.java": CODE.encode(), "src/Other.java": b"class Other { }\n"})
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


def test_the_command_answers_by_semgrep(program: Program) -> None:
    question = ("struct", "calls of read inside a while loop")
    exact, served = program.json(*question, "--exact"), program.json(*question)
    assert (exact["engine"], served["engine"]) == ("semgrep", "flowgraph")
    assert exact["complete"] is True
    assert "pattern" in exact["engine_query"]
    places = [[(r["path"], r["start_line"], r["end_line"]) for r in answer["results"]] for answer in (exact, served)]
    assert places[0] == places[1] == [("src/Reader.java", 4, 4)]


def test_the_command_runs_semgrep_s_own_rules(program: Program) -> None:
    found = program.json("struct", "--semgrep", RULE)
    assert [(r["path"], r["start_line"]) for r in found["results"]] == [("src/Reader.java", 6)]


def test_a_query_that_semgrep_cannot_say_is_refused_with_the_reason(program: Program) -> None:
    done = program.run("struct", "--exact", "--json", "--query", json.dumps(_used_by()))
    assert done.returncode == 2
    assert "UNSUPPORTED_QUERY" in done.stdout
    assert "Traceback" not in done.stderr


def _used_by() -> dict[str, object]:
    used = {"is": "related", "relation": "uses", "node": {"construct": "variable"}}
    return {"version": 1, "target": {"construct": "call", "where": [used]}}


def test_matches_come_before_all_files_are_scanned() -> None:
    assert PROGRAM is not None
    read: list[str] = []

    def content(path: str) -> bytes:
        read.append(path)
        return CODE.encode()

    files = tuple(_file(f"src/R{number:03}.java", content) for number in range(60))
    answering = StructuralAnswering(MemoryGraphCache(), semgrep=SemgrepProgram(PROGRAM))
    question = StructuralQuestion(query='{"version":1,"target":{"construct":"while"}}', exact=True, limit=0)
    parts: Iterator[StructuralReport] = answering(question, Selection((VIEW,), files))
    next(parts)
    first = next(parts)
    assert [r.path for r in first.results] == ["src/R000.java"]
    assert len(set(read)) < len(files)
    rest = list(parts)
    assert sum(len(part.results) for part in rest) == len(files) - 1
    assert rest[-1].complete


def _file(path: str, content: Callable[[str], bytes]) -> SelectedFile:
    return SelectedFile(VIEW, path, "java", path, lambda: content(path))


def test_s16_a_pattern_that_is_none_of_its_language_is_refused_as_the_caller_s_mistake() -> None:
    assert PROGRAM is not None
    answering = StructuralAnswering(MemoryGraphCache(), semgrep=SemgrepProgram(PROGRAM))
    question = StructuralQuestion(semgrep=RULE.replace("$X.read(2)", "$X.read((("))
    with pytest.raises(InvalidQuestionError, match="semgrep refuses the rule") as caught:
        list(answering(question, Selection((VIEW,), (_file("A.java", lambda path: CODE.encode()),))))
    assert caught.value.field == "semgrep"


def test_s7_the_program_ends_once_the_caller_is_gone() -> None:
    assert PROGRAM is not None
    question = StructuralQuestion(semgrep=RULE)
    looks = iter([1.0] * 6)
    slow = CODE.replace("in.read(2);", "in.read(2);" * 20_000)
    files = Selection((VIEW,), (_file("A.java", lambda path: slow.encode()),))
    answering = StructuralAnswering(MemoryGraphCache(), semgrep=SemgrepProgram(PROGRAM))
    before = _children()
    parts = list(answering(question, files, lambda: next(looks, 0.0)))
    assert parts[-1].problems == (CUT_SHORT,)
    assert _children() <= before


def test_s7_a_file_with_more_matches_than_semgrep_gives_is_named() -> None:
    assert PROGRAM is not None
    many = CODE.replace("in.read(2);", "in.read(2);" * 12_000)
    files = Selection((VIEW,), (_file("Many.java", lambda path: many.encode()),))
    answering = StructuralAnswering(MemoryGraphCache(), semgrep=SemgrepProgram(PROGRAM))
    last = list(answering(StructuralQuestion(semgrep=RULE), files))[-1]
    assert not last.complete
    assert "Many.java (too many matches)" in last.problems[0]


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split())
