"""The compositional grammar: reads a question as one noun phrase, the target, and the clauses about it."""

from dataclasses import dataclass, replace
from itertools import pairwise

from headwater.structural.query import Node, Relation
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


@dataclass(slots=True)
class Reading:
    """What was made of a question: the target, or None, and the words that nothing was made of."""

    target: Node | None
    not_understood: list[str]


def read(question: str, symbols: Symbols) -> Reading:
    """Reads the question with the lexicon and the names of the searched code."""
    tokens = _telling(tokenize(plain(question), symbols))
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
    clauses.read(target, [target], stop=False)
    return Reading(target.node(), cursor.unused)


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
