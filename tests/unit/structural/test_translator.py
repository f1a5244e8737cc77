"""The steps of a translation and their checks."""

import pytest

from headwater.structural.flowgraph.builder import build
from headwater.structural.flowgraph.languages import BY_NAME
from headwater.structural.generate.pairs import Pair
from headwater.structural.query import Construct, Name, Node, Related, Relation, query
from headwater.structural.translate.checks import NOTHING, asked_target, targets_agree
from headwater.structural.translate.retrieve import PairIndex, fill, mask, shipped_pairs
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.translator import Translator

CODE = b"class A { void f(Reader in) { while (true) { in.read(); } close(); foo(); } }"
SYMBOLS = Symbols([build(BY_NAME["java"], CODE)])
READ = query(Node(Construct.CALL, (Name("read"), Related(Relation.INSIDE, Node(Construct.WHILE)))))
PAIR = Pair("Spot whatever of close twirls amid whirls", query(Node(Construct.CALL, (Name("close"),))), "semgrep", "")


def translator(pairs: list[Pair] | None = None) -> Translator:
    return Translator(SYMBOLS, lambda made: True, PairIndex(pairs or []))


def test_grammar_alone_when_it_understands_everything() -> None:
    made = translator().translate("calls to read in a while loop")
    assert (made.query, made.source, made.not_understood, made.problems) == (READ, "grammar", (), ())


def test_nearest_pair_fills_its_slots_when_the_grammar_does_not_understand() -> None:
    made = translator(pairs=[PAIR]).translate("Spot whatever of foo twirls amid whirls")
    assert made.source == "example"
    assert made.query == query(Node(Construct.CALL, (Name("foo"),)))


def test_far_pairs_are_not_used() -> None:
    made = translator(pairs=[PAIR]).translate("frobnicate the wibble")
    assert made.query is None
    assert made.not_understood == ("frobnicate", "wibble")


def test_a_query_that_matches_nothing_is_said() -> None:
    made = Translator(SYMBOLS, lambda made: False).translate("calls to read")
    assert made.problems == ("the query matches nothing",)


def test_shipped_pairs_are_of_both_engines_and_different() -> None:
    pairs = shipped_pairs()
    assert {pair.engine for pair in pairs} == {"flowgraph", "semgrep"}
    assert len({(pair.engine, pair.query) for pair in pairs}) == len(pairs) == 200


def test_masked_pair_and_filled_pair() -> None:
    assert mask(PAIR) == "spot whatever of # twirls amid whirls"
    assert fill(PAIR.query, "calls to read on foo", SYMBOLS) is None


@pytest.mark.parametrize(
    ("question", "construct"),
    [
        ("Find all calls of read in a while loop", Construct.CALL),
        ("for each loops with a call", Construct.FOREACH),
        ("throw new Foo", Construct.THROW),
        ("nothing of the kind", None),
    ],
)
def test_the_target_that_is_asked_for(question: str, construct: Construct | None) -> None:
    assert asked_target(question, SYMBOLS) == construct


def test_like_targets_agree() -> None:
    assert targets_agree(Construct.LOOP, Construct.WHILE)
    assert not targets_agree(Construct.CALL, Construct.WHILE)


def test_a_reading_that_matches_nothing_gives_way_to_the_nearest_that_does() -> None:
    inside = query(Node(Construct.CALL, (Name("read"), Related(Relation.INSIDE, Node(Construct.WHILE)))))
    made = Translator(SYMBOLS, lambda made: made == inside).translate("calls to read in the body of a while loop")
    assert made.query == inside
    assert "controlled by a while loop" in made.problems[0]
    assert Translator(SYMBOLS, lambda made: False).translate("calls to read in a loop").problems == (NOTHING,)
