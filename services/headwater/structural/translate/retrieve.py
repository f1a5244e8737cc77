"""The nearest known question: its query, with the names and values of the asked question put into its slots."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from rapidfuzz import fuzz, process

from headwater.structural.generate.pairs import Pair, read_pairs
from headwater.structural.query import (
    AllOf,
    AnyOf,
    Condition,
    Count,
    Modifier,
    Name,
    Node,
    Not,
    Query,
    Related,
    Type,
    Value,
)
from headwater.structural.translate.symbols import Symbols
from headwater.structural.translate.tokens import Kind, tokenize

_SLOTTED = (Kind.NAME, Kind.STRING, Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class Example:
    """A pair and how near it is, from 0 to 100."""

    pair: Pair
    score: float


def shipped_pairs() -> list[Pair]:
    """Pairs made from the sources of four Apache-2.0 projects, for when an installation has none of its own."""
    return read_pairs(files(__package__).joinpath("pairs.jsonl").read_bytes())


class PairIndex:
    """Pairs by their questions, with names and values masked."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = list(pairs)
        self._masked = [mask(pair) for pair in self._pairs]

    def __len__(self) -> int:
        return len(self._pairs)

    def nearest(self, question: str, symbols: Symbols, number: int) -> list[Example]:
        """Up to `number` examples, nearest first."""
        asked = " ".join(_masked_words(question, symbols))
        found = process.extract(asked, self._masked, scorer=fuzz.token_sort_ratio, limit=number)
        return [Example(self._pairs[position], score) for _, score, position in found]


def mask(pair: Pair) -> str:
    """The pair's question with each of its query's names and values as one sign."""
    text = pair.question
    for slot in sorted(slots(pair.query.target), key=len, reverse=True):
        if slot:
            text = re.sub(rf'"?(?<![\w.]){re.escape(slot)}(?![\w])"?', "#", text, count=1)
    return " ".join(word.lower() for word in re.findall(r"#|[\w-]+|[^\w\s]+", text) if word not in ("`", ".", "()"))


def fill(query: Query, question: str, symbols: Symbols) -> Query | None:
    """The query with the question's names and values in its slots, None when their numbers differ."""
    values = [t.text for t in tokenize(question, symbols) if t.kind in _SLOTTED]
    wanted = slots(query.target)
    if len(values) != len(wanted):
        return None
    ordered = dict(zip(wanted, values, strict=True))
    return Query(query.version, _refilled(query.target, ordered), query.language)


def slots(node: Node) -> list[str]:
    """The names, types and values that a query holds, in the order in which they are said."""
    own = [text for condition in node.where if (text := _slot(condition)) is not None]
    return own + [slot for c in node.where if isinstance(c, Related) for slot in slots(c.node)]


def _masked_words(question: str, symbols: Symbols) -> list[str]:
    return ["#" if token.kind in _SLOTTED else token.written.lower() for token in tokenize(question, symbols)]


def _slot(condition: Condition) -> str | None:
    match condition:
        case Name(pattern=text) | Type(pattern=text) | Value(text=text):
            return text
        case _:
            return None


def _refilled(node: Node, values: dict[str, str]) -> Node:
    return Node(node.construct, tuple(_refilled_condition(condition, values) for condition in node.where))


def _refilled_condition(condition: Condition, values: dict[str, str]) -> Condition:
    match condition:
        case Name(pattern=text):
            return Name(values[text])
        case Type(pattern=text):
            return Type(values[text])
        case Value(text=text):
            return Value(values[text])
        case Related(relation=relation, node=node, index=index):
            return Related(relation, _refilled(node, values), index)
        case Count() | Modifier() | Not() | AllOf() | AnyOf():
            return condition
