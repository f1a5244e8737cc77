"""The dependence graph: what is inside, controls, follows, flows into and defines what, in each language."""

import pytest
from tests.unit.structural.flow import graph, lines, pipeline_lines

from headwater.limits import Limits
from headwater.structural.flowgraph.admission import decode_rule
from headwater.structural.flowgraph.graph import pack, unpack
from headwater.structural.flowgraph.pipeline import ANY_ARGUMENT, ContextKind
from headwater.structural.flowgraph.rule import all_of, any_of, negation_of, rule
from headwater.structural.query import (
    AnyOf,
    Construct,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Related,
    Relation,
    Type,
    Value,
)

JAVA = """package p;
import java.io.InputStream;
class A extends B {
  private String title;
  @Override public String join(InputStream in, String sep) {
    String all = sep;
    for (int i = 0; i < 3; i++) {
      all += Integer.toString(i);
      if (in.read() > 0) log(title);
    }
    log(all, 1);
    try { in.close(); } catch (java.io.IOException e) { throw new X(e); }
    return all.equals("") ? sep : all;
  }
}
"""


def call(name: str, *where: object) -> Node:
    return Node(Construct.CALL, (Name(name), *where))  # type: ignore[arg-type]


def related(relation: Relation, node: Node, index: int | None = None) -> Related:
    return Related(relation, node, index)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (call("toString"), [8]),
        (call("java.lang.Integer.toString"), [8]),
        (call("InputStream.read"), [9]),
        (call("log", Count(2)), [11]),
        (call("log", Not(related(Relation.INSIDE, Node(Construct.LOOP)))), [11]),
        (call("log", related(Relation.CONTROLLED_BY, Node(Construct.IF))), [9]),
        (call("log", related(Relation.ARGUMENT, Node(Construct.VARIABLE, (Name("all"),)), 0)), [11]),
        (call("log", related(Relation.ARGUMENT, Node(Construct.FIELD, (Type("String"),)))), [9]),
        (call("read", related(Relation.CONDITION_OF, Node(Construct.IF))), [9]),
        (Node(Construct.IF, (related(Relation.CONDITION, call("read")),)), [9]),
        (Node(Construct.FOR, (related(Relation.CONTAINS, call("read")),)), [7]),
        (call("log", related(Relation.FOLLOWS, Node(Construct.FOR))), [11]),
        (Node(Construct.FOR, (related(Relation.PRECEDES, Node(Construct.TRY)),)), [7]),
        (call("log", related(Relation.USES, Node(Construct.PARAMETER, (Name("sep"),)))), []),
        (Node(Construct.OPERATOR, (Name("+="), related(Relation.USES, call("toString")))), [8]),
        (Node(Construct.THROW, (related(Relation.VALUE, Node(Construct.NEW, (Type("X"),))),)), [12]),
        (Node(Construct.CATCH, (Type("IOException"),)), [12]),
        (Node(Construct.METHOD, (Modifier("@Override"), Count(2), Type("String"))), [5]),
        (Node(Construct.CLASS, (Type("B"),)), [3]),
        (Node(Construct.LITERAL, (Value(""),)), [13]),
        (AnyOf, []),
    ],
)
def test_java_relations(node: Node, expected: list[int]) -> None:
    if node is AnyOf:  # type: ignore[comparison-overlap]
        node = Node(Construct.CALL, (AnyOf((Name("nothing"), Name("none"))),))
    assert lines(JAVA, node) == expected


def test_value_flows_through_a_variable_but_not_past_its_redefinition() -> None:
    code = "class A { void f() {\n int x = a();\n int y = b();\n x = c();\n use(x);\n} }"
    for name, expected in (("a", []), ("c", [5])):
        assert lines(code, call("use", related(Relation.USES, call(name)))) == expected


def test_a_branch_leaves_both_definitions_and_a_loop_feeds_itself() -> None:
    code = "class A { void f() {\n int x = a();\n while (t) { use(x);\n x = b(); }\n if (t) x = c();\n last(x);\n} }"
    assert lines(code, call("use", related(Relation.USES, call("b")))) == [3]
    for name in "abc":
        assert lines(code, call("last", related(Relation.USES, call(name)))) == [6]


def test_break_in_a_switch_leaves_the_switch() -> None:
    code = (
        "class A { void f() {\n int x = a();\n switch (k) { case 1: x = b(); break; default: x = c(); }\n use(x);\n} }"
    )
    assert lines(code, call("use", related(Relation.USES, call("b")))) == [4]
    assert lines(code, call("use", related(Relation.USES, call("a")))) == []


def test_the_papers_example() -> None:
    built = (
        rule()
        .withControlFilter("FOR_STATEMENT")
        .withContextNodesTransform(ContextKind.LOOP)
        .withActionFilter(r"\+=")
        .withArgumentTransform(ANY_ARGUMENT)
        .withDataByTypeFilter(True, "String")
        .check()
        .build()
    )
    assert pipeline_lines(JAVA, built.steps) == [8]


def test_combinators_as_functions() -> None:
    looped = rule().withTransform("withControlDependenciesTransform").withControlFilter("LOOP_STATEMENT")
    logs = rule().withNodeByTypeFilter("METHOD_INVOCATION").withActionFilter("log")
    reads = rule().withNodeByTypeFilter("METHOD_INVOCATION").withActionFilter("read")
    assert pipeline_lines(JAVA, any_of(logs, reads).steps) == [9, 11]
    assert pipeline_lines(JAVA, all_of(logs, looped).steps) == [9]
    assert pipeline_lines(JAVA, logs.withNegationOf(looped).steps) == [11]
    assert 9 not in pipeline_lines(JAVA, negation_of(logs, reads).withControlFilter("LOOP_STATEMENT").steps)


def test_json_rule_with_combinators() -> None:
    raw = """{"steps": [{"op": "withNodeByTypeFilter", "args": ["METHOD_INVOCATION"]}, {"op": "withNegationOf",
      "pipelines": [[{"op": "withControlDependenciesTransform"},
      {"op": "withControlFilter", "args": ["FOR_STATEMENT"]}],
      [{"op": "withActionFilter", "args": ["close|equals"]}]]}]}"""
    assert pipeline_lines(JAVA, decode_rule(raw, Limits()).steps) == [11]


@pytest.mark.parametrize(
    "step", ['{"op":"withNothing"}', '{"op":"withControlFilter","args":["IF"]}', '{"op":"withAllOf","args":[1]}']
)
def test_wrong_steps_are_refused(step: str) -> None:
    with pytest.raises(ValueError, match=r"unknown step|knows no|takes pipelines"):
        decode_rule(f'{{"steps":[{step}]}}', Limits())


def test_packed_graph_is_the_same() -> None:
    before = graph(JAVA)
    after = unpack(pack(before))
    assert all((before.columns()[key] == after.columns()[key]).all() for key in before.columns())
    assert list(after.strings) == list(before.strings)


PYTHON = """import os.path as p
class A(B):
    @deco
    def f(self, name: str):
        for part in split(name):
            total = p.join(part)
            if not total: continue
        try:
            check(total)
        except (KeyError, ValueError) as e:
            raise Error(e)
        return [g(x) for x in name if x]
"""


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (call("os.path.join"), [6]),
        (call("check", related(Relation.USES, call("join"))), [9]),
        (call("split", related(Relation.ARGUMENT, Node(Construct.PARAMETER))), []),
        (call("split", related(Relation.USES, Node(Construct.PARAMETER, (Type("str"),)))), [5]),
        (Node(Construct.CATCH, (Type("ValueError"),)), [10]),
        (Node(Construct.NEW, (Name("Error"),)), [11]),
        (Node(Construct.METHOD, (Modifier("@deco"),)), [4]),
        (Node(Construct.FOREACH, (related(Relation.CONTAINS, Node(Construct.CONTINUE)),)), [5]),
    ],
)
def test_python_relations(node: Node, expected: list[int]) -> None:
    assert lines(PYTHON, node, "python") == expected


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "const x = a();\nfor (const y of x) {\n  use(y, x); }"),
        ("typescript", "const x: T = a();\nfor (const y of x) {\n  use(y, x); }"),
        ("go", "package p\nfunc f() {\n x := a(); for _, y := range x { \nuse(y, x) } }"),
        ("python", "x = a()\nfor y in x:\n  use(y, x)"),
    ],
)
def test_a_value_flows_in_every_language(language: str, code: str) -> None:
    last = code.count("\n") + 1
    assert lines(code, call("use", related(Relation.USES, call("a"))), language) == [last]
    assert lines(code, call("use", related(Relation.INSIDE, Node(Construct.FOREACH))), language) == [last]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("class A { void f() {\n g(B.class, x);\n g(this, /* the value */ x);\n g(B::new, x);\n} }", "java"),
        ("def f(self):\n g(int, x)\n g(\n  self,  # who\n  x)\n", "python"),
        ("package p\nfunc f() {\n\tg([]int{}, x)\n\tg(func() {}, x)\n}", "go"),
        ("function f() {\n g(this, x)\n g(() => 1, x)\n}", "javascript"),
    ],
)
def test_every_argument_takes_its_position(code: str, language: str) -> None:
    second = related(Relation.ARGUMENT, Node(Construct.VARIABLE, (Name("x"),)), 1)
    calls = lines(code, call("g", Count(2)), language)
    assert len(calls) > 1
    assert lines(code, call("g", second), language) == calls
    assert lines(code, call("g", related(Relation.ARGUMENT, Node(Construct.VARIABLE, (Name("x"),)), 0)), language) == []
