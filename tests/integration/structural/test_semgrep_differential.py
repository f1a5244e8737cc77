"""Semgrep itself, the ast-grep rules and the flow graph give the same lines for generated queries."""

from pathlib import Path

import pytest
from tests.unit.structural.samples import SAMPLES

from headwater.structural.flowgraph.compile import compile_query as to_flowgraph
from headwater.structural.flowgraph.search import search
from headwater.structural.query import (
    AnyOf,
    Condition,
    Construct,
    Count,
    Name,
    Node,
    Not,
    Related,
    Relation,
    Value,
    query,
)
from headwater.structural.semgrep.patterns import compile_query as to_semgrep
from headwater.structural.semgrep.prefilter import may_match, required_words
from headwater.structural.semgrep.program import SemgrepProgram, find_program
from headwater.structural.semgrep.scan import scan
from headwater.structural.source import SourceFile
from headwater.structural.unsupported import UnsupportedQueryError

PROGRAM = find_program(Path(__file__).parents[3] / ".stack/semgrep")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="semgrep is not installed: make stack-semgrep")

FOO, BAR = Node(Construct.CALL, (Name("foo"),)), Node(Construct.CALL, (Name("bar"),))
TARGETS: list[tuple[Construct, tuple[Condition, ...]]] = [
    (Construct.CALL, (Name("foo"),)),
    (Construct.CALL, (Name("foo"), Count(1))),
    (Construct.CALL, (Name("foo"), Count(2, ">="))),
    (Construct.CALL, (Name("foo"), Count(1, "<="))),
    (Construct.CALL, (Name("foo"), Related(Relation.ARGUMENT, BAR))),
    (Construct.CALL, (Name("foo"), Related(Relation.ARGUMENT, Node(Construct.LITERAL, (Value("x"),)), 0))),
    (Construct.CALL, (Name("bar"), Related(Relation.RECEIVER, FOO))),
    (Construct.NEW, (Name("Error"),)),
    (Construct.RETURN, ()),
    (Construct.RETURN, (Related(Relation.VALUE, FOO),)),
    (Construct.THROW, ()),
    (Construct.IF, ()),
    (Construct.IF, (Related(Relation.CONDITION, Node(Construct.CALL, (Name("done"),))),)),
    (Construct.WHILE, ()),
    (Construct.DO, ()),
    (Construct.FOR, ()),
    (Construct.FOREACH, ()),
    (Construct.LOOP, ()),
    (Construct.CLASS, ()),
    (Construct.METHOD, ()),
    (Construct.METHOD, (Name("f"),)),
    (Construct.METHOD, (Count(0),)),
    (Construct.ASSIGNMENT, (Name("z"),)),
    (Construct.ASSIGNMENT, (Related(Relation.VALUE, FOO),)),
    (Construct.OPERATOR, (Name("+"),)),
    (Construct.OPERATOR, (Name("+="),)),
    (Construct.OPERATOR, (Name("=="),)),
    (Construct.OPERATOR, (Name("!"),)),
    (Construct.LITERAL, (Value("x"),)),
    (Construct.ARRAY_ACCESS, ()),
]
AROUND: list[tuple[Condition, ...]] = [
    (),
    (Related(Relation.INSIDE, Node(Construct.IF)),),
    (Related(Relation.INSIDE, Node(Construct.WHILE)),),
    (Not(Related(Relation.INSIDE, Node(Construct.LOOP))),),
    (AnyOf((Related(Relation.INSIDE, Node(Construct.IF)), Related(Relation.INSIDE, Node(Construct.FOR)))),),
]
# Where Semgrep's own reading of a language differs, and how.
DIVERGENT = {
    ("javascript", Construct.OPERATOR, "+"): "a += b is a + to Semgrep",
    ("typescript", Construct.OPERATOR, "+"): "a += b is a + to Semgrep",
}


def _sign(conditions: tuple[Condition, ...]) -> str:
    return next((c.pattern for c in conditions if isinstance(c, Name)), "")


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_three_engines_agree(language: str) -> None:
    assert PROGRAM is not None
    file = SourceFile(f"a.{'ts' if language == 'typescript' else 'x'}", language, SAMPLES[language].encode())
    rules, expected = [], {}
    for target, conditions in TARGETS:
        if (language, target, _sign(conditions)) in DIVERGENT:
            continue
        for around in AROUND:
            asked = query(Node(target, (*conditions, *around)))
            try:
                rule = to_semgrep(asked, language)
            except UnsupportedQueryError:
                continue
            identity = f"q{len(rules)}"
            rules.append({**rule, "id": identity})
            expected[identity] = (asked, {match.start_line for match in search(to_flowgraph(asked), [file])})
    found: dict[str, set[int]] = {identity: set() for identity in expected}
    for identity, match in SemgrepProgram(PROGRAM).scan_rules(rules, [file]):
        found[identity].add(match.start_line)
    assert len(expected) >= 40
    for identity, (asked, lines) in expected.items():
        assert found[identity] == lines, (asked, rules[int(identity[1:])]["patterns"])
        assert {match.start_line for match in scan(asked, [file])} == lines, asked


def test_prefiltered_scan_equals_the_full_scan() -> None:
    assert PROGRAM is not None
    chunks = SAMPLES["java"].split("    if (a == 1")
    files = [
        SourceFile(f"{n}.java", "java", f"class C {{ void m() {{ {part} }} }}".encode())
        for n, part in enumerate(chunks)
    ]
    files += [SourceFile("e.java", "java", b"class E { }"), SourceFile("s.java", "java", SAMPLES["java"].encode())]
    program = SemgrepProgram(PROGRAM)
    for target, conditions in TARGETS[:12]:
        asked = query(Node(target, conditions))
        rule = to_semgrep(asked, "java")
        kept = [file for file in files if may_match(required_words(asked), file.content)]
        assert list(program.scan([rule], kept)) == list(program.scan([rule], files)), asked
