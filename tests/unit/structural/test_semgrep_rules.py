"""Semgrep rules: what they say, which traps are caught, and that the prefilter errs only towards scanning."""

import pytest
from tests.unit.structural.samples import SAMPLES
from tests.unit.structural.test_astgrep import NODES

from headwater.limits import Limits
from headwater.structural.flowgraph.compile import compile_query as to_flowgraph
from headwater.structural.flowgraph.search import search
from headwater.structural.query import Construct, Count, Name, Node, Not, Related, Relation, Type, Value, query
from headwater.structural.semgrep.patterns import compile_query
from headwater.structural.semgrep.prefilter import may_match, required_words
from headwater.structural.semgrep.validate import problems_of, read_rules
from headwater.structural.source import SourceFile
from headwater.structural.unsupported import UnsupportedQueryError

LOOP = Related(Relation.INSIDE, Node(Construct.DO))


def test_call_inside_a_loop() -> None:
    literal = Related(Relation.ARGUMENT, Node(Construct.LITERAL, (Value("x"),)), 1)
    rule = compile_query(query(Node(Construct.CALL, (Name("equals"), Count(2), literal, LOOP))), "java")
    assert rule["patterns"] == [
        {"pattern-either": [{"pattern": 'equals($V1, "x")'}, {"pattern": '$V3.equals($V1, "x")'}]},
        {"pattern-inside": "do { ... } while ($V4);"},
    ]


def test_negation_becomes_pattern_not() -> None:
    rule = compile_query(query(Node(Construct.NEW, (Name("A"), Not(LOOP), Not(Count(0))))), "java")
    assert rule["patterns"][1:] == [
        {"pattern-not-inside": "do { ... } while ($V1);"},
        {"pattern-not": "new $V2()"},
        {"pattern-not": "new $V3() { ... }"},
    ]


@pytest.mark.parametrize(
    "node",
    [
        Node(Construct.CALL),
        Node(Construct.VARIABLE, (Type("String"),)),
        Node(Construct.CALL, (Name("f"), Related(Relation.USES, Node(Construct.CALL)))),
        Node(Construct.SWITCH),
    ],
)
def test_what_semgrep_cannot_match_faithfully_is_refused(node: Node) -> None:
    with pytest.raises(UnsupportedQueryError):
        compile_query(query(node), "java")


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("switch ($X) { ... }", "switch"),
        ("catch (...) { ... }", "catch clause alone"),
        ("$x.foo()", "upper case"),
        ("(String $S) += $Y", "typed metavariable"),
        ("if ($C) $S", "statement can't be"),
        ("for (...) $S", "statement can't be"),
        ("try { ... } catch ($T $E) { ... }", "no finally"),
    ],
)
def test_traps_are_named(pattern: str, problem: str) -> None:
    rule = {"id": "a", "languages": ["java"], "severity": "INFO", "message": "m", "patterns": [{"pattern": pattern}]}
    assert problem in "; ".join(problems_of(rule))


@pytest.mark.parametrize("text", ["rules: [", "a: 1", "rules: [{id: a}]"])
def test_malformed_rules_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"YAML|under rules|lacks"):
        read_rules(text, Limits())


def test_a_good_rule_is_read() -> None:
    text = "rules: [{id: a, languages: [java], severity: INFO, message: m, pattern: '$X.foo(...)'}]"
    assert read_rules(text, Limits())[0]["id"] == "a"


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_prefilter_drops_no_file_with_a_match(language: str) -> None:
    content = SAMPLES[language].encode()
    for line in content.split(b"\n"):
        part = SourceFile("a", language, line)
        for node in NODES:
            if any(search(to_flowgraph(query(node)), [part])):
                assert may_match(required_words(query(node)), line), (node, line)


def test_required_words_leave_out_negations() -> None:
    node = Node(Construct.CALL, (Name("a.foo"), Not(Name("bar")), Related(Relation.INSIDE, Node(Construct.TRY))))
    assert required_words(query(node)) == ((b"foo",), (b"try",))
