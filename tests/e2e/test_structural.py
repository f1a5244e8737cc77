"""`struct` asks in words or by a query that a former answer showed, and says what it did not understand."""

import json
from pathlib import Path

import pytest

from support.program import Program

CODE = b"""class Reader {
    void drain(Stream in) {
        while (in.more()) {
            in.read(1);
        }
        in.read(2);
    }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.git.commit({"src/Reader.java": CODE, "notes.txt": b"in.read(3)\n"})
    assert made.run("index", str(made.git.path)).returncode == 0
    return made


def test_words_become_a_query_that_can_be_edited_and_asked_again(program: Program) -> None:
    asked = program.json("struct", "calls of read inside a while loop")
    assert [(r["path"], r["start_line"]) for r in asked["results"]] == [("src/Reader.java", 4)]
    assert asked["not_understood"] == []
    assert asked["complete"] is True
    assert "while" in asked["rendered"]
    query = asked["query"]
    query["target"]["where"] = [w for w in query["target"]["where"] if w["is"] == "name"]
    edited = program.json("struct", "--query", json.dumps(query))
    assert [r["start_line"] for r in edited["results"]] == [4, 6]


def test_what_is_not_understood_is_said_and_not_dropped(program: Program) -> None:
    answer = program.json("struct", "calls of read that are frobnicated")
    assert "frobnicated" in answer["not_understood"]
    assert answer["complete"] is False


@pytest.mark.parametrize("way", [(), ("--query", "{"), ("--query", '{"version": 2}'), ("--flowgraph", "[]")])
def test_a_malformed_question_says_what_to_do(program: Program, way: tuple[str, ...]) -> None:
    done = program.run("struct", *way)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("headwater: ")
