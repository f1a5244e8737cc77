"""Whatever a caller sends to structural search costs bounded work and is answered or refused with the place."""

import json
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from tests.support import hostile_structural as hostile
from tests.unit.structural.samples import SAMPLES

from headwater.domain.answer import AsOf, StructuralReport
from headwater.domain.query_error import DeadlinePassedError, ExhaustedError, InvalidQuestionError, UnavailableError
from headwater.domain.question import StructuralQuestion
from headwater.domain.selection import SelectedFile, Selection
from headwater.limits import Limits
from headwater.structural.answering import CUT_SHORT, StructuralAnswering
from headwater.structural.flowgraph.cache import MemoryGraphCache
from headwater.structural.semgrep.validate import read_rules
from headwater.structural.too_large import TooLargeError
from headwater.structural.translate.wording import plain

VIEW = AsOf("r", "refs/heads/main", "c" * 40)
FILES = Selection(
    (VIEW,),
    tuple(
        SelectedFile(VIEW, f"a.{name}", name, name, lambda code=code: code.encode()) for name, code in SAMPLES.items()
    ),
)
KEPT = StructuralAnswering(MemoryGraphCache())
READ_ONCE = StructuralAnswering(MemoryGraphCache(), kept=False)  # by scans, where they can say the query
MOST_CHECKS = 60_000  # how often a question of the longest allowed length looks at its time, over such few files
CALL = {"version": 1, "target": {"construct": "call"}}


def asked(answering: StructuralAnswering, question: StructuralQuestion) -> StructuralReport:
    """The whole report; counts the steps of its work, each of which looks at the time before."""
    steps = count()

    def remaining() -> float:
        assert next(steps) < MOST_CHECKS
        return 1.0

    return StructuralReport.joined(answering(question, FILES, remaining))


def admitted_or_refused(question: StructuralQuestion) -> None:
    for answering in (KEPT, READ_ONCE):
        try:
            report = asked(answering, question)
        except InvalidQuestionError as error:
            known = (error.field in ("words", "query", "flowgraph", "semgrep"), bool(error.message))
        else:
            known = (True, bool(report.rendered or report.engine_query or not report.complete))
        assert known == (True, True)


@given(hostile.words())
@settings(max_examples=150, deadline=None)
def test_s7_any_words_are_answered_or_refused_in_bounded_steps(text: str) -> None:
    admitted_or_refused(StructuralQuestion(words=text))


@given(hostile.queries())
@settings(max_examples=200, deadline=None)
def test_s16_any_query_is_run_or_refused(text: str) -> None:
    admitted_or_refused(StructuralQuestion(query=text))


@given(hostile.flowgraph_rules())
@settings(max_examples=200, deadline=None)
def test_s16_any_flowgraph_rule_is_run_or_refused(text: str) -> None:
    admitted_or_refused(StructuralQuestion(flowgraph=text))


@given(hostile.semgrep_rules())
@settings(max_examples=200, deadline=None)
def test_s16_any_semgrep_rules_are_read_or_refused(text: str) -> None:
    try:
        rules = read_rules(text, Limits())
    except ValueError:
        return
    json.dumps(rules)


def refused(**asked_so: str) -> InvalidQuestionError:
    with pytest.raises(InvalidQuestionError) as caught:
        asked(KEPT, StructuralQuestion(**asked_so))
    return caught.value


@pytest.mark.parametrize("text", ["calls of " * 27_000, "calls of " * 400, "a" * 1_001, "漢" * 334])
def test_s7_words_longer_than_the_limit_are_refused_with_it(text: str) -> None:
    error = refused(words=text)
    assert (error.field, error.reason) == ("words", "QUESTION_TOO_LONG")
    assert "1000 bytes" in error.message


@pytest.mark.parametrize("text", ["calls of " * 110, "calls inside a loop " * 48, "negated x " * 90, "call(a)." * 120])
def test_s7_words_that_nest_too_deep_are_refused(text: str) -> None:
    assert refused(words=text).reason == "QUESTION_TOO_COMPLEX"


@pytest.mark.parametrize(
    "unit", ["between x and ", "with a ", "to which a ", "whose argument is ", "\n \n", "`a` ", '"', "a("]
)
def test_s7_rewriting_does_not_lengthen_a_question_more_than_in_proportion(unit: str) -> None:
    assert len(plain(unit * 200)) <= 8 * len(unit * 200) + 200


@pytest.mark.parametrize("way", ["query", "flowgraph", "semgrep"])
def test_s7_a_text_longer_than_the_limit_is_refused(way: str) -> None:
    assert refused(**{way: "[" * 65_537}).reason == "QUESTION_TOO_LONG"


def test_s7_a_question_ends_within_a_step_of_its_deadline() -> None:
    """Wherever the time ends: in translation, in building graphs, in a join, between matches."""
    for question in (
        StructuralQuestion(words="calls to foo inside a loop"),
        StructuralQuestion(query=json.dumps(CALL)),
        StructuralQuestion(flowgraph=json.dumps({"steps": [{"op": "withContainedNodesTransform"}] * 20})),
    ):
        whole = list(_steps(question, None))
        for end in {1, 2, len(whole) // 3, len(whole) // 2, len(whole) - 1}:
            assert len(list(_steps(question, end))) <= end + 3


def _steps(question: StructuralQuestion, end: int | None) -> Iterator[int]:
    """One for each look at the time, of which there is none left after `end`."""
    made: list[int] = []

    def remaining() -> float:
        made.append(1)
        return 1.0 if end is None or len(made) <= end else 0.0

    try:
        parts = list(StructuralAnswering(MemoryGraphCache())(question, FILES, remaining))
        assert end is None or parts[-1].problems == (CUT_SHORT,)
    except DeadlinePassedError:
        assert end is not None
    yield from made


def limited(**limits: int) -> StructuralAnswering:
    return StructuralAnswering(MemoryGraphCache(), allowed=Limits(**limits))


def test_s7_a_question_that_looks_at_too_many_nodes_ends_with_the_reason() -> None:
    rule = json.dumps({"steps": [{"op": "withContainedNodesTransform"}, {"op": "withEnclosingNodesTransform"}] * 100})
    report = asked(limited(structural_visits=5_000), StructuralQuestion(flowgraph=rule))
    assert not report.complete
    assert "5,000 nodes" in report.problems[0]
    with pytest.raises(ExhaustedError, match="narrow"):
        asked(limited(structural_visits=50), StructuralQuestion(words="calls to foo inside a loop"))


def test_s7_matches_above_the_limit_are_left_out_and_said() -> None:
    report = asked(limited(structural_matches=7), StructuralQuestion(query=json.dumps(CALL), limit=0))
    assert (len(report.results), report.complete) == (7, False)
    assert "first 7 matches" in report.problems[0]


def test_s7_a_long_line_with_many_matches_is_cut_in_each() -> None:
    line = b"class A { void f() { " + b"/* \xc3\xa9 */ x.read(1); " * 3_000 + b"} }\n"
    file = SelectedFile(VIEW, "A.java", "java", "0", lambda: line)
    report = StructuralReport.joined(
        KEPT(StructuralQuestion(query=json.dumps(CALL), limit=0), Selection((VIEW,), (file,)))
    )
    assert len(report.results) == 3_000
    assert max(len(result.snippet) for result in report.results) <= 4_000
    last = report.results[-1].range
    assert last.start_byte_col - last.start_col == 3_000


def test_s7_a_scan_that_would_take_long_is_left_to_the_graph() -> None:
    deep = b"class A { void f() { " + b"while (a) { if (b) { " * 40 + b"g(); " + b"} } " * 40 + b"} }\n"
    file = SelectedFile(VIEW, "A.java", "java", "1", lambda: deep)
    related = {"is": "related", "relation": "contains", "node": {"construct": "if"}}
    inner = {"is": "related", "relation": "contains", "node": {"construct": "while", "where": [related]}}
    question = StructuralQuestion(
        query=json.dumps({"version": 1, "target": {"construct": "while", "where": [inner]}}), limit=0
    )
    found = [StructuralReport.joined(a(question, Selection((VIEW,), (file,)))) for a in (KEPT, READ_ONCE)]
    assert found[0].results == found[1].results
    assert len(found[0].results) == 39


def _query(*conditions: object, **more: object) -> str:
    return json.dumps({"version": 1, "target": {"construct": "call", "where": conditions}, **more})


def _nots(number: int) -> str:
    inner: dict[str, object] = {"is": "name", "pattern": "foo"}
    for _ in range(number):
        inner = {"is": "not", "condition": inner}
    return _query(inner)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (_nots(900), "24 levels"),
        (_nots(30), "24 levels"),
        (_query({"is": "count", "n": 1, "op": "<>"}), "one of =, >=, <="),
        (_query({"is": "count", "n": 10**9}), "$.target.where[0].n"),
        (_query({"is": "any", "conditions": []}), "$.target.where[0].conditions"),
        (_query({"is": "name", "pattern": ""}), "$.target.where[0].pattern"),
        (_query({"is": "name", "pattern": "a\0"}), "$.target.where[0].pattern"),
        (_query({"is": "name", "pattern": "f", "regex": "("}), "unknown field `regex`"),
        (_query({"is": "nothing"}), "one of name, type"),
        (_query(*[{"is": "name", "pattern": "a"}] * 300), "256 constructs"),
        (_query(language="cobol"), "one of java, python"),
        ('{"version":1,"version":1,"target":{"construct":"call"}}', "'version' is twice"),
        ('{"version":NaN,"target":{"construct":"call"}}', "NaN is no JSON"),
        ('{"version":1,"target":{"construct":"banana"}}', "one of call, new"),
        ('{"version":1,"target":{"construct":"call","where":[{"is":"count","n":' + "9" * 5_000 + "}]}}", "18 digits"),
        ('{"version":1,"target":{"construct":"call","where":[{"is":"name","pattern":"\\ud800"}]}}', "surrogate"),
        ("[" * 60_000, "24 levels"),
        ("null", "got `null`"),
    ],
)
def test_s16_a_wrong_query_names_the_place_and_what_is_allowed(text: str, place: str) -> None:
    error = refused(query=text)
    assert error.field == "query"
    assert place in error.message


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ({"op": "withMethodCallFilter", "args": ["("]}, "$.steps[0].args[0]"),
        ({"op": "withMethodCallFilter", "args": ["(?=a)b"]}, "RE2"),
        ({"op": "withMethodCallFilter", "args": ["a)|(?:b"]}, "RE2"),
        ({"op": "withMethodCallFilter", "args": [5]}, "takes [a text]"),
        ({"op": "withNumberOfArgumentsFilter", "args": [1, "<>"]}, "one of =, >=, <="),
        ({"op": "withNumberOfArgumentsFilter", "args": [True, "="]}, "a whole number"),
        ({"op": "withArgumentTransform", "args": [-1]}, "from 0 to 255"),
        ({"op": "withAnyOf", "pipelines": []}, "takes pipelines"),
        ({"op": "withNegationOf", "pipelines": [[{"op": "withNothing"}]]}, "$.steps[0].pipelines[0][0].op"),
    ],
)
def test_s16_a_wrong_flowgraph_rule_names_the_place(step: dict[str, object], place: str) -> None:
    error = refused(flowgraph=json.dumps({"steps": [step]}))
    assert error.field == "flowgraph"
    assert place in error.message


def test_s16_a_regular_expression_that_backtracking_would_not_end_is_run_by_a_linear_engine() -> None:
    rule = {"steps": [{"op": "withDataByNameFilter", "args": ["(a*)*(.*.*.*.*)*b{0,9}$"]}]}
    assert asked(KEPT, StructuralQuestion(flowgraph=json.dumps(rule))).complete is False  # more than the limit of 20


RULE = "rules:\n- id: a\n  languages: [java]\n  message: m\n  severity: INFO\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{RULE}  pattern: a\n  fix: b\n", "fix is not run here"),
        (f"{RULE}  pattern: a\n  mode: extract\n", "one of search"),
        (f"{RULE}  pattern: a\n  paths: {{include: ['/etc/*']}}\n", "paths is not run here"),
        (
            f"{RULE}  patterns: [{{pattern: a}}, {{metavariable-pattern: {{metavariable: $X}}}}]\n",
            "metavariable-pattern",
        ),
        (f"{RULE}  patterns: [{{pattern: a}}, {{metavariable-regex: {{metavariable: X, regex: a}}}}]\n", "upper case"),
        (f"{RULE}  pattern-regex: (a)\\1\n", "RE2"),
        (f"{RULE}  pattern: a\n  pattern: b\n", "twice"),
        (f"{RULE}  pattern: &a b\n", "anchors"),
        (f"{RULE}  pattern: !!python/name:os.system a\n", "anchors"),
        (f"{RULE}  pattern: a\n  <<: {{}}\n", "merge keys"),
        (f"{RULE}  pattern: a\n---\nrules: []\n", "one YAML document"),
        (RULE.replace("java", "generic") + "  pattern: a\n", "one of go, java"),
        (RULE.replace("INFO", "2001-01-01") + "  pattern: a\n", "severity"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nrules: [*b]", "anchors"),
        ("[" * 60_000, "24 levels"),
    ],
)
def test_s16_semgrep_rules_that_do_more_than_match_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_rules(text, Limits())
    assert reason in str(caught.value)
    assert isinstance(caught.value, TooLargeError) == ("levels" in reason)


def test_s7_more_questions_than_may_wait_are_refused_and_a_place_is_free_while_the_caller_takes_a_part() -> None:
    answering = limited(structural_questions=1, structural_waiting=1)
    question = StructuralQuestion(query=json.dumps(CALL), limit=0)
    streams = [answering(question, FILES, lambda: 1.0) for _ in range(3)]
    assert [next(stream).rendered for stream in streams] == ["Find every call."] * 3
    assert issubclass(ExhaustedError, UnavailableError)
    assert all(list(stream)[-1].complete for stream in streams)


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("x = x + 1; while (a) { ", "} "),
        ("try { f(); } finally { x = x + 1; ", "} "),
        ("if (a) { x = 1; } y = x; ", ""),
        ("while (a) { x = y; y = x; if (b) break; ", "}"),
    ],
)
def test_s7_definitions_are_followed_in_bounded_work_however_loops_nest(head: str, tail: str) -> None:
    code = f"class A {{ void f(int x, int y) {{ {head * 40} g(x); {tail * 40} }} }}".encode()
    file = SelectedFile(VIEW, "A.java", "java", head, lambda: code)
    used = {"is": "related", "relation": "uses", "node": {"construct": "variable"}}
    text = json.dumps({"version": 1, "target": {"construct": "call", "where": [{"is": "name", "pattern": "g"}, used]}})
    report = StructuralReport.joined(KEPT(StructuralQuestion(query=text), Selection((VIEW,), (file,))))
    assert len(report.results) == 1


def test_s16_the_form_of_a_query_is_the_schema_s() -> None:
    """The strategies' correct queries are admitted, so that the refusals mean something."""
    assert asked(KEPT, StructuralQuestion(query=_query({"is": "name", "pattern": "foo"}), limit=0)).complete
