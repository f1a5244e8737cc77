"""Splitting identifiers and text into lower-case sub-tokens: the one tokenizer of BM25, names and the static model."""

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+|[^\W\d_a-zA-Z]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MAX_TOKEN = 64


@lru_cache(maxsize=65536)
def split_identifier(word: str) -> tuple[str, ...]:
    """HTTPSConnection2 -> (https, connection, 2); snake_case and kebab-case are split by `subtokens` already."""
    if not word.isascii():
        return (word.lower()[:_MAX_TOKEN],)
    return tuple(part.lower()[:_MAX_TOKEN] for part in _PART.findall(word))


def words(text: str) -> list[str]:
    """The words of a text in order, each still to be split."""
    return _WORD.findall(text)


def subtokens(text: str) -> list[str]:
    """All sub-tokens of a text in order. CJK and other scripts come as runs of letters."""
    out: list[str] = []
    for word in _WORD.findall(text):
        out.extend(split_identifier(word))
    return out
