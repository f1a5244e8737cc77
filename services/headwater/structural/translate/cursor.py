"""Walks a question's tokens: what stands here, which phrase begins here, what was passed over unread."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from headwater.structural.translate import lexicon
from headwater.structural.translate.draft import DEEPEST, too_deep
from headwater.structural.translate.tokens import Kind, Token

_LONGEST_PHRASE = 6
ANYTHING = ("something", "anything", "...")
T = TypeVar("T")


class Cursor:
    """`at` is the next token's position; `unused` the words that nothing was made of."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.unused: list[str] = []
        self._depth = 0

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Around whatever reads a phrase within a phrase. Raises TooLargeError once that is too deep."""
        if self._depth >= DEEPEST:
            raise too_deep()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def peek(self, ahead: int = 0) -> Token | None:
        position = self.at + ahead
        return self.tokens[position] if position < len(self.tokens) else None

    def word(self, ahead: int = 0) -> str:
        token = self.peek(ahead)
        return token.text if token is not None and token.kind is Kind.WORD else ""

    def skip(self) -> None:
        token = self.tokens[self.at]
        self.at += 1
        filler = token.kind is Kind.COMMA or (token.kind is Kind.WORD and token.text in lexicon.FILLERS)
        if not filler:
            self.unused.append(token.written)

    def phrase(self, table: Mapping[tuple[str, ...], T], start: int = 0) -> tuple[int, T] | None:
        """The longest phrase of the table that stands here: how many words, and what it means."""
        words: list[str] = []
        verbal = table is lexicon.NOUNS  # `methods that call` are no method calls
        best: tuple[int, T] | None = None
        for ahead in range(start, start + _LONGEST_PHRASE):
            word = self.word(ahead)
            if not word or (words and verbal and self.tokens[self.at + ahead].relative):
                break
            words.append(word)
            if tuple(words) in table:
                best = (len(words), table[tuple(words)])
        return best

    def number(self, token: Token | None) -> int | None:
        if token is None:
            return None
        if token.kind is Kind.NUMBER and token.text.isdigit():
            return int(token.text)
        return lexicon.NUMBERS.get(token.text) if token.kind is Kind.WORD else None

    def is_end(self, ahead: int) -> bool:
        """Whether a noun phrase can't go on there."""
        token = self.peek(ahead)
        return token is None or token.kind is Kind.COMMA or self.phrase(lexicon.RELATIONS, ahead) is not None

    def is_name(self, ahead: int) -> bool:
        token = self.peek(ahead)
        if token is None:
            return False
        return token.kind is Kind.NAME or (token.kind is Kind.WORD and token.text in lexicon.PRIMITIVES)

    def is_operand(self, ahead: int) -> bool:
        token = self.peek(ahead)
        return token is not None and token.kind in (Kind.NAME, Kind.STRING, Kind.NUMBER, Kind.CODE)

    def is_anything(self, token: Token | None) -> bool:
        if token is None:
            return False
        return token.text in ANYTHING or (token.kind is Kind.WORD and token.text in lexicon.LITERAL_VALUES)
