"""Checks of a translation: does its target agree with the question's, does it match, was every word used."""

from collections.abc import Callable

import msgspec

from headwater.structural.query import LOOPS, Construct, Query
from headwater.structural.translate import lexicon
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.tokens import Kind, Token, tokenize

NOTHING = "the query matches nothing"
_ALIKE = (
    frozenset((Construct.VARIABLE, Construct.PARAMETER, Construct.FIELD, Construct.DECLARATION)),
    frozenset((Construct.CALL, Construct.NEW)),
    frozenset((*LOOPS, Construct.LOOP)),
    frozenset((Construct.IF, Construct.CONDITIONAL)),
)

_HEADS = lexicon.OPERATOR_WORDS.keys() | lexicon.GROUP_OPERATORS.keys() | lexicon.LITERAL_VALUES
_BEFORE_NOUNS = lexicon.MODIFIER_WORDS | {"synchronized"}


class Checked(msgspec.Struct, frozen=True):
    """A candidate translation with what the checks found; the smallest `rank` is the best."""

    query: Query | None
    not_understood: tuple[str, ...]
    problems: tuple[str, ...]
    source: str  # grammar, example or model

    @property
    def rank(self) -> tuple[bool, int]:
        return self.query is None, len(self.problems) + len(self.not_understood)


def asked_target(question: str, symbols: Symbols) -> Construct | None:
    """The construct that the question's first noun names, None when it has none before its first name."""
    tokens = tokenize(question, symbols)
    if tokens and tokens[0].node is not None:
        return tokens[0].node.construct
    return _first_noun(_words(tokens))


def _words(tokens: list[Token]) -> list[str]:
    """The words that count, "" for what is none."""
    words: list[str] = []
    for token in tokens:
        if token.kind is Kind.WORD and token.text not in lexicon.DROPPED:
            words.append(token.text)
        elif words or token.kind is not Kind.NAME:
            words.append("")
    return words


def _first_noun(words: list[str]) -> Construct | None:
    for start in range(len(words)):
        if words[start] in _BEFORE_NOUNS and tuple(words[start + 1 : start + 2]) in lexicon.NOUNS:
            continue
        for length in (4, 3, 2, 1):
            found = lexicon.NOUNS.get(tuple(words[start : start + length]))
            if found is not None:
                return found
        if words[start] in _HEADS:
            return None
        if tuple(words[start : start + 1]) in lexicon.RELATIONS or words[start] in lexicon.WITH | lexicon.WITHOUT:
            return None
    return None


def targets_agree(asked: Construct | None, made: Construct) -> bool:
    if asked is None or asked is made or Construct.ANY in (asked, made):
        return True
    return any(asked in group and made in group for group in _ALIKE)


def problems_of(question: str, query: Query, symbols: Symbols, matches: Callable[[Query], bool]) -> tuple[str, ...]:
    """What speaks against a translation, in words."""
    problems = []
    asked = asked_target(question, symbols)
    if not targets_agree(asked, query.target.construct):
        problems.append(f"the question asks for a {asked}, the query for a {query.target.construct}")
    if not matches(query):
        problems.append(NOTHING)
    return tuple(problems)
