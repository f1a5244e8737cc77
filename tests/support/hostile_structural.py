"""What anybody may send to structural search: strategies of words, queries and rules, most of them wrong.

Shared by the property tests and the fuzz target. Each yields the text as a caller sends it.
"""

import json
from typing import Any

from hypothesis import strategies as st

from headwater.structural.flowgraph.pipeline import COMBINATORS, FILTERS, TRANSFORMS
from headwater.structural.query import Construct, Relation
from headwater.structural.translate import lexicon

_SAID = sorted(
    {word for table in (lexicon.NOUNS, lexicon.RELATIONS, lexicon.MARKERS) for key in table for word in key}
    | lexicon.FILLERS
    | lexicon.WITH
    | lexicon.WITHOUT
    | lexicon.NEGATIONS
    | {"and", "or", "as", "the", "first", "argument", "that", "between", "negated", "nested", "named", "two", "empty"}
)
_PIECES = st.sampled_from(
    [
        *(
            "`",
            '"',
            "'",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "<",
            ">",
            ",",
            ";",
            ".",
            "...",
            "*",
            "-",
            " - ",
            "==",
            "!=",
            "?",
        ),
        *(
            "foo",
            "foo()",
            "a.b.C",
            "x++",
            "new Foo(a, b)",
            "if (a)",
            "`x.y(`",
            "@Override",
            "_",
            "$",
            "1",
            "0x1f",
            "1st",
        ),
        *("\n", "\t", "\0", "\u2019", "é", "漢", "\U0001f600", "\ud800", "i.e.", "w/o", "don't", "either", "neither"),
    ]
)
_ODD = st.sampled_from(
    [None, True, -1, 0, 1, 256, 10**30, 1.5, "", "a", "*", "a" * 3000, "*" * 40, "(", "(?=a)", "(a*)*b", "\0", "\ud800"]
) | st.lists(st.integers(), max_size=2)
_ANYTHING = st.recursive(
    _ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def words() -> st.SearchStrategy[str]:
    """Sentences of the lexicon with code, quotes and rubbish between, one thing many times over, and any text."""
    piece = st.sampled_from(_SAID) | _PIECES
    sentences = st.lists(piece, max_size=60).map(" ".join)
    joined = st.lists(piece, max_size=60).map("".join)
    again = st.tuples(st.lists(piece, min_size=1, max_size=4), st.integers(1, 300)).map(
        lambda p: (" ".join(p[0]) + " ") * p[1]
    )
    return sentences | joined | again | st.text(max_size=300)


def queries() -> st.SearchStrategy[str]:
    """JSON near schemas/structural/query.v1.schema.json, sometimes of it, sometimes with something else in a place."""
    made = st.fixed_dictionaries(
        {"version": _or_odd(st.just(1)), "target": _or_odd(_nodes())}, optional={"language": _odd_or("")}
    )
    return _texts(made)


def flowgraph_rules() -> st.SearchStrategy[str]:
    """JSON near a Flowgraph rule."""
    known = st.sampled_from([*FILTERS, *TRANSFORMS, *COMBINATORS, "withContextNodesTransform", "withNothing"])
    argument = _ODD | st.sampled_from(["IF_STATEMENT", "METHOD_INVOCATION", "=", "<>", "ANY_ARGUMENT", "LOOP", True, 1])
    leaf = st.fixed_dictionaries({"op": known}, optional={"args": st.lists(argument, max_size=2)})
    step = st.recursive(leaf, _combined, max_leaves=6)
    return _texts(
        st.fixed_dictionaries({"steps": _or_odd(st.lists(step, max_size=5))}, optional={"language": _odd_or("")})
    )


def semgrep_rules() -> st.SearchStrategy[str]:
    """YAML near a rule file, with keys that are refused, and any text."""
    key = st.sampled_from(
        [
            "pattern",
            "patterns",
            "pattern-either",
            "pattern-regex",
            "match",
            "fix",
            "mode",
            "paths",
            "options",
            "metavariable-pattern",
        ]
    )
    value = _ANYTHING | st.sampled_from(["$X.foo()", "$x", "switch ($X) { ... }", "extract", "search"])
    rule = st.fixed_dictionaries(
        {"id": _odd_or("a"), "languages": _odd_or(["java"]), "message": _odd_or("m"), "severity": _odd_or("INFO")}
    ).flatmap(lambda rule: st.dictionaries(key, value, max_size=3).map(lambda more: {**rule, **more}))
    written = st.lists(rule, max_size=3).map(lambda rules: json.dumps({"rules": rules}))
    tricks = st.sampled_from(
        ["a: &a [x]\nb: *a", "<<: 1", "!!python/name:os.system x", "---\n---\n", "[" * 2000, "? " * 2000]
    )
    return written | tricks | st.text(max_size=200) | st.tuples(tricks, written).map("\n".join)


def _nodes() -> st.SearchStrategy[Any]:
    construct = st.sampled_from([str(kind) for kind in Construct])
    leaves = st.fixed_dictionaries({"construct": construct})
    return st.recursive(leaves, lambda inner: _with_conditions(construct, inner), max_leaves=8)


def _with_conditions(construct: st.SearchStrategy[str], node: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    relation = st.sampled_from([str(kind) for kind in Relation])
    plain = st.one_of(
        st.fixed_dictionaries({"is": st.sampled_from(["name", "type"]), "pattern": _odd_or("foo")}),
        st.fixed_dictionaries({"is": st.just("literal"), "text": _odd_or("x")}),
        st.fixed_dictionaries({"is": st.just("count"), "n": _odd_or(1)}, optional={"op": _odd_or("=")}),
        st.fixed_dictionaries({"is": st.just("modifier"), "name": _odd_or("static")}),
        st.fixed_dictionaries(
            {"is": st.just("related"), "relation": relation, "node": node}, optional={"index": _odd_or(0)}
        ),
        st.fixed_dictionaries({"is": st.just("name"), "pattern": st.just("f"), "else": st.just(1)}),
    )
    combined = st.fixed_dictionaries({"is": st.sampled_from(["all", "any"]), "conditions": st.lists(plain, max_size=2)})
    negated = st.fixed_dictionaries({"is": st.just("not"), "condition": plain})
    return st.fixed_dictionaries({"construct": construct, "where": st.lists(plain | combined | negated, max_size=3)})


def _combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    pipelines = st.lists(st.lists(inner, max_size=2), max_size=2)
    return st.fixed_dictionaries({"op": st.sampled_from(COMBINATORS), "pipelines": pipelines})


def _or_odd(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 9).flatmap(lambda roll: usual if roll else _ANYTHING)


def _odd_or(usual: Any) -> st.SearchStrategy[Any]:
    return _or_odd(st.just(usual))


def _texts(made: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    """As JSON, sometimes cut off, nested deep, or with a key twice."""
    text = made.map(json.dumps)
    cut = st.tuples(text, st.integers(0, 40)).map(lambda pair: pair[0][: pair[1]])
    deep = st.integers(1, 3000).map(
        lambda n: '{"version":1,"target":{"construct":"call","where":[' + '{"is":"not","condition":' * n
    )
    twice = text.map(lambda made: made.replace("{", '{"version":1,"version":NaN,', 1))
    return st.integers(0, 9).flatmap(lambda roll: {0: cut, 1: deep, 2: twice}.get(roll, text))
