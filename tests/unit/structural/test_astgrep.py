"""The two in-process engines agree wherever ast-grep rules can express the query."""

import pytest
from tests.unit.structural.samples import SAMPLES

from headwater.structural.flowgraph.compile import compile_query
from headwater.structural.flowgraph.search import search
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
    query,
)
from headwater.structural.semgrep.scan import scan
from headwater.structural.source import SourceFile
from headwater.structural.unsupported import UnsupportedQueryError

LOOP = Node(Construct.LOOP)
NODES = [
    *(Node(kind) for kind in (Construct.CALL, Construct.IF, Construct.LOOP, Construct.RETURN, Construct.THROW)),
    *(Node(kind) for kind in (Construct.METHOD, Construct.CLASS, Construct.SWITCH, Construct.TRY, Construct.CATCH)),
    *(Node(kind) for kind in (Construct.ASSIGNMENT, Construct.OPERATOR, Construct.BREAK, Construct.ARRAY_ACCESS)),
    Node(Construct.CALL, (Name("foo"),)),
    Node(Construct.CALL, (Name("f*"), Count(1))),
    Node(Construct.CALL, (Count(0),)),
    Node(Construct.CALL, (Count(2, ">="),)),
    Node(Construct.CALL, (Count(1, "<="),)),
    Node(Construct.CALL, (AnyOf((Name("foo"), Name("bar"))),)),
    Node(Construct.CALL, (Not(Name("foo")), Related(Relation.INSIDE, LOOP))),
    Node(Construct.CALL, (Related(Relation.CONTROLLED_BY, LOOP),)),
    Node(Construct.CALL, (Related(Relation.CONTROLLED_BY, Node(Construct.IF)),)),
    Node(Construct.CALL, (Related(Relation.CONDITION_OF, Node(Construct.IF)),)),
    Node(Construct.IF, (Related(Relation.CONDITION, Node(Construct.OPERATOR, (Name("=="),))),)),
    Node(Construct.METHOD, (Related(Relation.CONTAINS, Node(Construct.LOOP)),)),
    Node(Construct.METHOD, (Name("f"),)),
    Node(Construct.CALL, (Related(Relation.ARGUMENT, Node(Construct.CALL)),)),
    Node(Construct.CALL, (Related(Relation.ARGUMENT, Node(Construct.LITERAL, (Modifier("string"),)), 0),)),
    Node(Construct.CALL, (Related(Relation.RECEIVER, Node(Construct.CALL)),)),
    Node(Construct.RETURN, (Related(Relation.VALUE, Node(Construct.CALL)),)),
    Node(Construct.ASSIGNMENT, (Related(Relation.VALUE, Node(Construct.CALL, (Name("foo"),))),)),
    Node(Construct.OPERATOR, (Name("+="),)),
    Node(Construct.OPERATOR, (Name("+"), Related(Relation.ARGUMENT, Node(Construct.CALL)))),
    Node(Construct.LITERAL, (Value("x"),)),
    Node(Construct.LITERAL, (Modifier("number"),)),
]


@pytest.mark.parametrize("language", sorted(SAMPLES))
@pytest.mark.parametrize("node", NODES, ids=lambda node: str(node)[16:90])
def test_astgrep_finds_what_flowgraph_finds(node: Node, language: str) -> None:
    file = SourceFile("a", language, SAMPLES[language].encode())
    asked = query(node)
    expected = {match.start_line for match in search(compile_query(asked), [file])}
    try:
        found = {match.start_line for match in scan(asked, [file])}
    except UnsupportedQueryError:
        pytest.skip("not a construct of this language's rules")
    assert found == expected


@pytest.mark.parametrize(
    "node",
    [
        Node(Construct.CALL, (Name("a.b"),)),
        Node(Construct.VARIABLE, (Type("String"),)),
        Node(Construct.CALL, (Related(Relation.USES, Node(Construct.CALL)),)),
    ],
)
def test_what_rules_cannot_say_is_refused(node: Node) -> None:
    with pytest.raises(UnsupportedQueryError):
        list(scan(query(node), [SourceFile("a", "java", b"")]))
