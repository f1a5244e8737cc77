"""The entry point: questions, edited queries and engines' own rules, over a list of files."""

from pathlib import Path

import pytest
from tests.unit.structural.samples import SAMPLES

from headwater.limits import Limits
from headwater.structural.engine import StructuralAnswer, StructuralSearch, gathered
from headwater.structural.flowgraph.admission import decode_rule
from headwater.structural.flowgraph.cache import FolderGraphCache, MemoryGraphCache
from headwater.structural.flowgraph.index import Shards
from headwater.structural.query import Construct, Name, Node, Related, Relation, Type, query
from headwater.structural.route import Engine, can_scan, route
from headwater.structural.source import FolderSources, SourceFile, language_of
from headwater.structural.unsupported import UnsupportedQueryError

FILES = [SourceFile(f"a.{name}", name, code.encode()) for name, code in sorted(SAMPLES.items())]
JAVA = [file for file in FILES if file.language == "java"]


def answer(question: str, files: list[SourceFile]) -> StructuralAnswer:
    return gathered(StructuralSearch(files).ask(question))


def test_a_question_is_answered_with_the_query_that_was_run() -> None:
    found = answer("calls to bar in an if", JAVA)
    assert [match.start_line for match in found.results] == [17, 36]
    assert found.rendered == "Find every call to `bar` inside an if statement."
    assert (found.complete, found.not_understood) == (True, ())
    assert "withMethodCallFilter('bar')" in found.engine_query


def test_what_is_not_understood_makes_the_answer_incomplete() -> None:
    found = answer("tainted calls to bar", JAVA)
    assert found.not_understood == ("tainted",)
    assert not found.complete
    assert found.results


def test_nothing_understood_gives_no_results() -> None:
    found = answer("frobnicate the wibble", JAVA)
    assert (found.query, found.results, found.complete) == (None, (), False)


def test_an_edited_query_is_run() -> None:
    edited = query(Node(Construct.CALL, (Name("foo"), Related(Relation.INSIDE, Node(Construct.DO)))))
    assert [match.path for match in gathered(StructuralSearch(FILES).run(edited)).results] == [
        "a.java",
        "a.javascript",
        "a.typescript",
    ]


def test_a_flowgraph_rule_is_run() -> None:
    raw = '{"steps":[{"op":"withControlFilter","args":["DO_STATEMENT"]}],"language":"java"}'
    found = gathered(StructuralSearch(FILES).run_flowgraph(decode_rule(raw, Limits())))
    assert [match.start_line for match in found.results] == [19]


def test_a_limit_is_said() -> None:
    found = gathered(StructuralSearch(JAVA).run(query(Node(Construct.CALL))), 3)
    assert (len(found.results), found.complete) == (3, False)


def test_exact_without_semgrep_says_what_to_do() -> None:
    with pytest.raises(UnsupportedQueryError, match="stack-semgrep"):
        StructuralSearch(JAVA).run(query(Node(Construct.CALL, (Name("foo"),))), exact=True)


def test_router_takes_an_engine_that_can_say_it() -> None:
    plain, typed = query(Node(Construct.CALL, (Name("foo"),))), query(Node(Construct.VARIABLE, (Type("String"),)))
    assert route(plain, exact=False, graphs_cached=False) is Engine.ASTGREP
    assert route(plain, exact=False, graphs_cached=True) is Engine.FLOWGRAPH
    assert route(typed, exact=False, graphs_cached=False) is Engine.FLOWGRAPH
    assert route(plain, exact=True, graphs_cached=True) is Engine.SEMGREP
    assert not can_scan(typed)
    with pytest.raises(UnsupportedQueryError):
        route(typed, exact=True, graphs_cached=True)


@pytest.mark.parametrize("make", ["folder", "memory"])
def test_cached_graphs_give_the_same_answer(make: str, tmp_path: Path) -> None:
    cache = FolderGraphCache(tmp_path) if make == "folder" else MemoryGraphCache()
    question = "calls to foo inside a loop"
    first, second = (gathered(StructuralSearch(FILES, shards=Shards(cache)).ask(question)).results for _ in range(2))
    assert first == second == answer(question, FILES).results


def test_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/A.java").write_text("class A { }")
    (tmp_path / "p/readme.md").write_text("class")
    assert [file.path for file in FolderSources(tmp_path)] == ["p/A.java"]
    assert language_of("x.TSX") == "tsx"
