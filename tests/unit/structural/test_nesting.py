"""Code that nests deep is followed on a stack of its own; a file beyond the limit is left out and named."""

import pytest

from headwater.domain.answer import AsOf, StructuralReport
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.structural.answering import StructuralAnswering
from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.cache import MemoryGraphCache
from headwater.structural.flowgraph.graph import CODES
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.query import Construct

N = 2_000
NESTED = {
    "else_if": ("javascript", Construct.IF, " else ".join(f"if (a == {i}) {{ g({i}) }}" for i in range(N))),
    "elif": ("python", Construct.CALL, "if a:\n f()\n" + "".join(f"elif b:\n f({i})\n" for i in range(N - 1))),
    "calls": ("python", Construct.CALL, "x = " + "f(" * N + "1" + ")" * N),
    "chain": ("java", Construct.CALL, "class A { void f() { a" + ".b()" * N + "; } }"),
    "operators": ("go", Construct.OPERATOR, "package a\nvar x = " + " + ".join("a" * (N + 1))),
    "branches": ("go", Construct.IF, "package a\nfunc f() {" + "if x {" * N + "}" * N + "}"),
    "loops": ("java", Construct.WHILE, "class A { void f() {" + "while (x) {" * N + "}" * N + "} }"),
    "lambdas": ("typescript", Construct.LAMBDA, "x = " + "a => " * N + "1"),
    "functions": ("javascript", Construct.METHOD, "function f() {" * N + "}" * N),
    "classes": ("java", Construct.CLASS, "class A {" * N + "}" * N),
    "elements": ("tsx", Construct.CALL, "x = " + "<a>" * N + "{f()}" * N + "</a>" * N),
    "templates": ("javascript", Construct.LITERAL, "x = " + "`${" * N + "y" + "}`" * N),
    "destructuring": ("javascript", Construct.VARIABLE, "const " + "[" * N + "a" + "]" * N + " = x" + "; a" * (N - 2)),
}


@pytest.mark.parametrize("name", NESTED)
def test_s6_deep_code_is_in_the_graph_whole(name: str) -> None:
    language, construct, code = NESTED[name]
    graph = build(BY_NAME[language], code.encode())
    assert int((graph.kind == CODES[construct]).sum()) == N


@pytest.mark.parametrize("kept", [True, False])
def test_s6_a_file_beyond_the_limit_is_left_out_and_named(kept: bool) -> None:
    view = AsOf("r", "refs/heads/main", "c" * 40)
    deep = b"x = " + b"f(" * 30_000 + b"1" + b")" * 30_000
    files = (
        SelectedFile(view, "deep.py", "python", "1", lambda: deep),
        SelectedFile(view, "good.py", "python", "2", lambda: b"f(1)\n"),
    )
    question = StructuralQuestion(query='{"version": 1, "target": {"construct": "call"}}')
    answering = StructuralAnswering(MemoryGraphCache(), kept=kept)
    report = StructuralReport.joined(answering(question, Selection((view,), files)))
    assert [result.path for result in report.results] == ["good.py"]
    assert not report.complete
    assert "deep.py" in report.problems[0]
    assert "levels" in report.problems[0]
