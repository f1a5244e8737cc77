"""Verified pairs of words and query, as JSON lines: examples for translation, and questions for the benchmark."""

from collections.abc import Iterator
from random import Random

import msgspec

from headwater.structural.generate.algorithm import generate
from headwater.structural.generate.corpus import Corpus
from headwater.structural.generate.describe import phrase, structured
from headwater.structural.generate.flow_style import FlowStyle
from headwater.structural.generate.pattern_style import PatternStyle
from headwater.structural.query import Query, query

STYLES = {style.name: style for style in (FlowStyle(), PatternStyle())}


class Pair(msgspec.Struct, frozen=True):
    """`engine` names the style that the query was made in."""

    question: str
    query: Query
    engine: str
    description: str


def make_pairs(corpus: Corpus, engine: str, number: int, seed: int) -> Iterator[Pair]:
    """Up to `number` pairs; the same corpus, engine and seed give the same ones."""
    random = Random(seed)
    for node in generate(corpus, STYLES[engine], number, seed):
        yield Pair(phrase(node, random), query(node), engine, structured(node))


def read_pairs(raw: bytes) -> list[Pair]:
    return msgspec.json.Decoder(Pair).decode_lines(raw)


def write_pairs(pairs: Iterator[Pair]) -> bytes:
    return b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs)
