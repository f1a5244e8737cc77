# ruff: noqa: E501 - a question and what is read from it stay on one line
"""The grammar: the paper's own questions, slang, slips, negation and alternatives, and what it must not swallow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.query import query
from headwater.structural.render import render
from headwater.structural.translate.grammar import read
from headwater.structural.translate.lexicon import FILLERS, SPOKEN
from headwater.structural.translate.snippet import read_snippet
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.wording import plain

CODE = b"""class JsonReader extends Reader {
  void skipTo(String target) { foo(); read(x); close(); append(y); insert(z); println("a"); equals(""); size(); toString(); }
}"""
SYMBOLS = Symbols([build(BY_NAME["java"], CODE)])

SAID = [
    ("Find all calls to foo() controlled by an if statement", "call to `foo` controlled by an if statement"),
    ("Find all calls of InputStream.read in a while loop", "call to `InputStream.read` inside a while loop"),
    (
        "Find all cases where a String object is used by an add operator within a for loop",
        "variable of type `String` and whose value is used by an operator (`+` or `+=`) and inside a for loop",
    ),
    (
        "Find all if statements that depend on a variable that is also used by foo()",
        "if statement using the value of a variable whose value is used by a call to `foo`",
    ),
    (
        "Find all cases where equals is called on an empty string",
        "call to `equals` called on a literal with the value ``",
    ),
    ("find all the ifs", "if statement"),
    ("foreach loops in JsonReader", "for-each loop inside a class declaration `JsonReader`"),
    (
        "JsonReader.skipTo for loops",
        "for loop inside a method declaration `skipTo` inside a class declaration `JsonReader`",
    ),
    ("metod calls to apend in a wihle loop", "call to `append` inside a while loop"),
    (
        "new ArrayList() w/o args inside an assignment",
        "object creation `ArrayList` with exactly 0 arguments and inside an assignment",
    ),
    ("throw new DecoderException", "throw statement of an object creation `DecoderException`"),
    ("calls to close that are not inside a finally block", "call to `close` not (inside a finally block)"),
    ("append or insert calls inside a loop", "call (to `append` or to `insert`) and inside a loop"),
    ("calls to read in a while loop or a for loop", "call to `read` (inside a while loop or inside a for loop)"),
    (
        "catch clauses that don't contain a throw or a return",
        "catch clause not ((containing a throw statement or containing a return statement))",
    ),
    (
        "if statements with neither == nor != in the condition",
        "if statement not (with an operator (`==` or `!=`) in its condition)",
    ),
    ("methods without parameters", "method declaration with exactly 0 parameters"),
    (
        "public static methods returning String with at least 3 parameters",
        "public static method declaration returning `String` and with at least 3 parameters",
    ),
    ("nested loops", "loop inside a loop"),
    ("empty catch blocks", "catch clause not (controlling a construct)"),
    (
        "while (true) loops without a break",
        "while loop with a literal with the value `true` in its condition and not (containing a break statement)",
    ),
    (
        'string literal "abc" passed to println',
        "string literal with the value `abc` and that is an argument of a call to `println`",
    ),
]


@pytest.mark.parametrize(("question", "expected"), SAID, ids=[question for question, _ in SAID])
def test_says_back_what_was_asked(question: str, expected: str) -> None:
    reading = read(question, SYMBOLS)
    assert reading.not_understood == []
    assert reading.target is not None
    assert render(query(reading.target)) == f"Find every {expected}."


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("frobnicate the wibble", ["frobnicate", "wibble"]),
        ("calls to read that are not sanitised", ["sanitised", "not"]),
        ("tainted calls to read", ["tainted"]),
    ],
)
def test_what_is_not_understood_is_said(question: str, left: list[str]) -> None:
    assert read(question, SYMBOLS).not_understood == left


# By kinds of phrasing, as people who don't know the grammar write.
SLOPPY = [
    ("calls to append w/ 2+ args", "call to `append` with at least 2 arguments"),
    ("calls to read with fewer than 3 arguments", "call to `read` with at most 2 arguments"),
    ("read, 2nd arg is null", "call to `read` with a literal with the value `null` as argument 2"),
    ("null as the second arg", "literal with the value `null` and that is argument 2 of a call"),
    ("all read() calls that arent inside any if", "call to `read` not (inside an if statement)"),
    ("close() w/o a try arround", "call to `close` not (inside a try statement)"),
    ("classes lacking an equals method", "class declaration not (containing a method declaration `equals`)"),
    ("appends which use what came out of read()", "call to `append` using the value of a call to `read`"),
    ("read calls whose result ends up in an append call", "call to `read` whose value is used by a call to `append`"),
    ("close called right before read", "call to `close` preceding a call to `read`"),
    (
        "read only executed under an if on close()",
        "call to `read` inside an if statement with a call to `close` in its condition",
    ),
    ("catch handlers that swallow a JsonReader", "catch clause not (controlling a construct) and of type `JsonReader`"),
    (
        "ifs depending on size() > 0",
        "if statement using the value of an operator `>` with a call to `size` as operand 1 and with a literal with the value `0` as operand 2",
    ),
    ("does a read() ever depend on an if? show the reads", "call to `read` controlled by an if statement"),
    (
        "try having a finally but w/o a catch, in methods named close",
        "try statement containing a finally block and not (containing a catch clause) and inside a method declaration `close`",
    ),
    (
        "loops that have both a break and a continue",
        "loop containing a break statement and containing a continue statement",
    ),
    ("methods annotated with @Override that return String", "@Override method declaration returning `String`"),
    ("methods whose name starts with skip", "method declaration `skip*`"),
    ("imports of anything under java.util", "import `java.util.*`"),
    ("fors over size()", "for loop using the value of a call to `size`"),
    ("infinite loops", "while loop with a literal with the value `true` in its condition"),
    ("a JsonReader newed up in a for", "object creation `JsonReader` inside a for loop"),
    ("appending a string literal", "call to `append` with a string literal as an argument"),
    ("methods that take a Reader", "method declaration with a parameter of type `Reader` as a parameter"),
    ("calls never followed by a return in the same block", "call not (preceding a return statement)"),
    ("what reads of size()", "call to `size`"),
]


@pytest.mark.parametrize(("question", "expected"), SLOPPY, ids=[question for question, _ in SLOPPY])
def test_sloppy_phrasing_is_read(question: str, expected: str) -> None:
    target = read(question, SYMBOLS).target
    assert target is not None
    assert render(query(target)) == f"Find every {expected}."


# By kinds again: catches, negation, modifiers, counts, sides of an operator, restatements, what a test guards.
FURTHER = [
    ("catch (JsonReader e)", "catch clause of type `JsonReader`"),
    ("where is JsonReader caught?", "catch clause of type `JsonReader`"),
    (
        "catch for JsonReader where nothing gets thrown",
        "catch clause of type `JsonReader` and not (containing a throw statement)",
    ),
    ("exceptions that are caught and ignored", "catch clause not (controlling a construct)"),
    ("try/finally with no catch", "try statement containing a finally block and not (containing a catch clause)"),
    (
        "try blocks with neither a catch nor a finally",
        "try statement not (containing a catch clause) and not (containing a finally block)",
    ),
    ("x assigned in a loop", "assignment `x` inside a loop"),
    ("public fields that aren't final", "public variable declaration not (marked final)"),
    ("methods, static ones only", "static method declaration"),
    ("non-static methods", "method declaration not (marked static)"),
    ("fields with @Inject", "@Inject variable declaration"),
    (
        "methods that call read but not close",
        "method declaration containing a call to `read` and not (containing a call to `close`)",
    ),
    ("methods having two params or more", "method declaration with at least 2 parameters"),
    (
        "methods that take a Reader and return boolean",
        "method declaration with a parameter of type `Reader` as a parameter and returning `boolean`",
    ),
    (
        "close guarded by size() > 0",
        "call to `close` controlled by an if statement with an operator `>` with a call to `size` as operand 1 and with a literal with the value `0` as operand 2 in its condition",
    ),
    ("read called w exactly two args", "call to `read` with exactly 2 arguments"),
    ("read(...) where null is passed", "call to `read` with a literal with the value `null` as an argument"),
    ("null on the left of ==", "literal with the value `null` and that is operand 1 of an operator `==`"),
    ("ternaries returning null", "conditional expression containing a literal with the value `null`"),
    (
        "ternary with a null check as condition",
        "conditional expression with an operator (`==` or `!=` or `<` or `>` or `<=` or `>=` or `===` or `!==`) and with a literal with the value `null` as an operand as an argument",
    ),
    ("loops with string concatenation", "loop containing an operator (`+` or `+=`)"),
    (
        "if conditions calling read and containing a return",
        "if statement with a call to `read` in its condition and containing a return statement",
    ),
    (
        "x.read().close() - i.e. the close calls whose receiver is a read call",
        "call to `close` called on a call to `read`",
    ),
    (
        "ifs whose condition does an `instanceof Reader`",
        "if statement with an instanceof check of type `Reader` in its condition",
    ),
]


@pytest.mark.parametrize(("question", "expected"), FURTHER, ids=[question for question, _ in FURTHER])
def test_further_phrasing_is_read(question: str, expected: str) -> None:
    reading = read(question, SYMBOLS)
    assert reading.not_understood == []
    assert reading.target is not None
    assert render(query(reading.target)) == f"Find every {expected}."


@pytest.mark.parametrize(
    ("question", "expected", "left"),
    [
        ("fors or whiles with a break", "loop containing a break statement", ["or"]),
        ("ifs or whiles with a break", "if statement containing a break statement", ["or", "whiles"]),
        ("try blocks with two catches", "try statement containing a catch clause", ["two"]),
        ("if statements without an else branch", "if statement", ["without", "not", "else"]),
        ("read(int) calls", "call to `read`", ["(int)"]),
    ],
)
def test_what_a_query_cannot_say_is_left_over(question: str, expected: str, left: list[str]) -> None:
    reading = read(question, SYMBOLS)
    assert reading.target is not None
    assert render(query(reading.target)) == f"Find every {expected}."
    assert reading.not_understood == left


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from([*SPOKEN, *FILLERS, "read()", "JsonReader", "x < 3", ",", "and", "or", "not", '"a"']),
        max_size=12,
    )
)
def test_no_order_of_words_breaks_it(words: list[str]) -> None:
    read(" ".join(words), SYMBOLS)


@pytest.mark.parametrize("kept", ["`w/o any thats`", '"fed to"', "foo(a, b)", "a.b.Type"])
def test_code_and_values_are_not_reworded(kept: str) -> None:
    assert plain(f"calls to {kept}") == f"calls to {kept}"


@pytest.mark.parametrize(
    "code", ["i++", "x.foo(1)", 'K = "a"', "while (a.b())", "new A(b)", "return f(x)", "a == null"]
)
def test_code_is_read_as_a_query(code: str) -> None:
    assert read_snippet(code) is not None


def test_what_is_no_code_is_not_read() -> None:
    assert read_snippet("some words here") is None
