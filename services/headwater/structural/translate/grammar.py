"""The compositional grammar: reads a question as one noun phrase, the target, and the clauses about it."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from headwater.structural.query import CONTROLS, LOOPS, Construct, Node, Relation
from headwater.structural.translate import lexicon
from headwater.structural.translate.clauses import Clauses
from headwater.structural.translate.cursor import Cursor
from headwater.structural.translate.draft import Draft
from headwater.structural.translate.naming import Naming
from headwater.structural.translate.nouns import NounPhrases
from headwater.structural.translate.post_modifiers import PostModifiers
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.tokens import Kind, Token, tokenize
from headwater.structural.translate.wording import plain

_RESTATED = re.compile(
    r"(?<![\s,;(-])[\s,;(-]+(?:i\.e\.|ie\b|that is,|in other words|meaning\b|aka\b)[\s,:]*", re.IGNORECASE
)
_STATEMENTS = (
    *CONTROLS,
    *(Construct.RETURN, Construct.THROW, Construct.BREAK, Construct.CONTINUE, Construct.ASSERT),
)


@dataclass(slots=True)
class Reading:
    """What was made of a question: the target, or None, and the words that nothing was made of."""

    target: Node | None
    not_understood: list[str]


def read(question: str, symbols: Symbols) -> Reading:
    """Reads the question with the lexicon and the names of the searched code."""
    restated = _RESTATED.search(question)
    if restated is not None:
        first = _read(question[: restated.start()], symbols)
        if first.target is not None and not first.not_understood:
            return first  # `x, i.e. x in other words`
    return _read(question, symbols)


def _read(question: str, symbols: Symbols) -> Reading:
    tokens = _telling(tokenize(plain(question, symbols.check), symbols))
    cursor, naming = Cursor(tokens), Naming(symbols)
    post = PostModifiers(cursor, naming)
    nouns = NounPhrases(cursor, naming, post)
    clauses = Clauses(cursor, naming, nouns, post)
    place: list[Draft] = []
    target = nouns.read(None)
    while target is None and cursor.at < len(tokens):
        if not clauses.leading_place(place):
            cursor.skip()
        target = nouns.read(None)
    if target is None:
        return Reading(None, cursor.unused)
    target.conditions += [(Relation.INSIDE, inner, None, False) for inner in place]
    _further_target(cursor, target)
    clauses.read(target, [target], stop=False)
    return Reading(target.node(), cursor.unused)


def _further_target(cursor: Cursor, target: Draft) -> None:
    """`fors or whiles`: a query has one target, so two kinds of loops are any loop and another noun is left over."""
    noun = cursor.phrase(lexicon.NOUNS, 1)
    if noun is None or target.construct not in _STATEMENTS or cursor.word() not in ("or", "and"):
        return
    loops = target.construct in LOOPS and noun[1] in LOOPS
    if noun[1] not in _STATEMENTS or (cursor.word() == "and" and not loops):
        return
    read = cursor.tokens[cursor.at : cursor.at + 1 + noun[0]]
    cursor.at += len(read)
    target.construct = Construct.LOOP if loops else target.construct
    cursor.unused += [token.written for token in (read[:1] if loops else read)]


def _telling(tokens: list[Token]) -> list[Token]:
    """Leaves out words that change nothing, `cases of` and `cases where` among them."""
    tokens = [token for token in tokens if token.kind is not Kind.WORD or token.text not in ("only", "just")]
    led = [
        replace(token, relative=_is_relative(before))
        for before, token in pairwise([None, *tokens])
        if token is not None
    ]
    kept = [token for token in led if not (token.kind is Kind.WORD and token.text in lexicon.DROPPED)]
    idle = {
        position
        for position, (token, following) in enumerate(pairwise(kept))
        if token.written.lower() in ("case", "cases") and following.text in ("of", "where", "when")
        if position == 0 or kept[position - 1].text != "switch"
    }
    return [token for position, token in enumerate(kept) if position not in idle]


def _is_relative(token: Token | None) -> bool:
    return token is not None and token.kind is Kind.WORD and token.text in ("that", "which", "who")
