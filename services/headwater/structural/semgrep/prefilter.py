"""Tells from a file's bytes alone that a query can't match in it. Says so only when it is certain."""

import re

from headwater.structural.query import Condition, Construct, Name, Node, Query, Value
from headwater.structural.walk import required_nodes

# Words of which at least one stands in any file that has the construct.
_KEYWORDS: dict[Construct, tuple[bytes, ...]] = {
    Construct.IF: (b"if",),
    Construct.FOR: (b"for",),
    Construct.FOREACH: (b"for",),
    Construct.WHILE: (b"while", b"for"),
    Construct.DO: (b"do",),
    Construct.LOOP: (b"for", b"while", b"do"),
    Construct.SWITCH: (b"switch", b"match", b"select"),
    Construct.TRY: (b"try",),
    Construct.CATCH: (b"catch", b"except"),
    Construct.FINALLY: (b"finally",),
    Construct.SYNCHRONIZED: (b"synchronized",),
    Construct.THROW: (b"throw", b"raise"),
    Construct.BREAK: (b"break",),
    Construct.CONTINUE: (b"continue",),
    Construct.ASSERT: (b"assert",),
    Construct.INSTANCEOF: (b"instanceof",),
}
_NAMED = (
    *(Construct.CALL, Construct.NEW, Construct.METHOD, Construct.CLASS, Construct.VARIABLE, Construct.PARAMETER),
    *(Construct.FIELD, Construct.DECLARATION, Construct.ASSIGNMENT),
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def may_match(required: tuple[tuple[bytes, ...], ...], content: bytes) -> bool:
    """False only if no match of the query that requires these words can be in the file."""
    return all(any(word in content for word in words) for words in required)


def required_words(query: Query) -> tuple[tuple[bytes, ...], ...]:
    """Groups of words: of each group at least one is in any file with a match."""
    groups: list[tuple[bytes, ...]] = []
    for node in required_nodes(query.target):
        if node.construct in _KEYWORDS:
            groups.append(_KEYWORDS[node.construct])
        groups += [(word,) for condition in node.where for word in _words(node, condition)]
    return tuple(dict.fromkeys(groups))


def _words(node: Node, condition: Condition) -> list[bytes]:
    if isinstance(condition, Name) and node.construct in _NAMED and "*" not in condition.pattern:
        last = condition.pattern.rpartition(".")[2]
        return [last.encode()] if _WORD.fullmatch(last) else []
    if isinstance(condition, Value) and _WORD.fullmatch(condition.text):
        return [condition.text.encode()]
    return []
