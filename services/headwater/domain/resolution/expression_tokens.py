"""Cutting expression texts into tokens, for all languages alike."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<string>[bBrRuUfF]{0,2}(?:
        \"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))
    | (?P<template>`(?:\\.|[^`\\])*`)
    | (?P<number>0[xXbBoO][0-9a-fA-F_]+[lLnuU]*|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[lLfFdDnj]?)
    | (?P<name>[A-Za-z_$@\u0080-\uffff][\w$\u0080-\uffff]*|\#[A-Za-z_$][\w$]*)
    | (?P<op>\.\.\.|…|>>>=|===|!==|\*\*=|<<=|>>=|\?\?=|&&=|\|\|=
        |=>|->|::|:=|\?\.|\?\?|==|!=|<=|&&|\|\||\*\*|//|<-|\+\+|--|[-+*/%&|^]=
        |[-+*/%&|^~!<>=?:.,;(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """`kind` is string, template, number, name, op or end; `start` and `end` are offsets into the text."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token] | None:
    """All tokens and an end mark; None for a text that can't be cut (truncated strings, unknown characters)."""
    out: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        kind = match.lastgroup or ""
        if kind != "space":
            out.append(Token(kind, match.group(), at, match.end()))
        at = match.end()
    out.append(Token("end", "", at, at))
    return out
