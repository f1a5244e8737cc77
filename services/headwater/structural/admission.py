"""Admits a query that a caller or a language model wrote: of its form, in a known language, and no larger than allowed.

Whatever walks a query later may do so recursively: how deep it nests has been checked here.
"""

import unicodedata
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from headwater.limits import Limits
from headwater.structural.json_text import read_json
from headwater.structural.query import (
    COMPARISONS,
    AllOf,
    AnyOf,
    Condition,
    Construct,
    Modifier,
    Name,
    Node,
    Not,
    Query,
    Related,
    Relation,
    Type,
    Value,
)
from headwater.structural.source import LANGUAGES
from headwater.structural.too_large import TooLargeError

_Part: TypeAlias = Node | Condition
_WILDCARDS = 16
_CONDITIONS = ("name", "type", "literal", "count", "modifier", "related", "all", "any", "not")
_FIELDS = (
    "a query has version, target and language; a construct has construct and where; a condition has is, and of name and"
    " type pattern, of literal text, of count n and op, of modifier name, of related relation, node and index, of all"
    " and any conditions, of not condition"
)


def decode(text: str, allowed: Limits) -> Query:
    """Raises TooLargeError or ValueError, which name the place and what is allowed there."""
    made = read_json(text, allowed.structural_text_bytes, allowed.structural_depth)
    try:
        return admitted(msgspec.convert(made, Query), allowed)
    except msgspec.ValidationError as error:
        raise ValueError(f"{error}{_hint(str(error))}") from error


def _hint(problem: str) -> str:
    """What is allowed at the place that msgspec names, where it doesn't say so itself."""
    if "unknown field" in problem or "missing required field" in problem:
        return f": {_FIELDS}"
    key = problem.rstrip("`").rpartition(".")[2]
    known = {"construct": Construct, "relation": Relation, "op": COMPARISONS, "is": _CONDITIONS}.get(key)
    return f": one of {', '.join(known)}" if known is not None else ""


def admitted(query: Query, allowed: Limits) -> Query:
    """The query itself. Raises TooLargeError, ValueError."""
    check_language(query.language)
    for steps, (path, depth, part) in enumerate(_parts(query.target), 1):
        if steps > allowed.structural_steps:
            message = f"it has more than {allowed.structural_steps} constructs and conditions: ask for less at once"
            raise TooLargeError("structural_steps", message)
        if depth > allowed.structural_depth:
            message = f"it nests more than {allowed.structural_depth} levels deep: ask for less at once - at `{path}`"
            raise TooLargeError("structural_depth", message)
        _check_texts(part, path, allowed)
    return query


def check_language(language: str) -> None:
    """Raises ValueError."""
    if language not in ("", *LANGUAGES):
        raise ValueError(f"no language '{language[:40]}': one of {', '.join(LANGUAGES)}, or none - at `$.language`")


def check_text(text: str, path: str, allowed: Limits, *, empty: bool = False, controls: bool = False) -> None:
    """Raises TooLargeError, ValueError; `controls`: tabs, line ends and such are no mistake."""
    most = allowed.structural_pattern_bytes
    if not text and not empty:
        raise ValueError(f"an empty text matches nothing: say what it is, or leave the condition out - at `{path}`")
    if len(text.encode("utf-8", "replace")) > most:
        raise TooLargeError("structural_pattern_bytes", f"a text has at most {most} bytes - at `{path}`")
    refused = ("Cs",) if controls else ("Cs", "Cc")
    if any(unicodedata.category(sign) in refused for sign in text):
        raise ValueError(f"no name holds control characters or halves of surrogate pairs: drop them - at `{path}`")


def _check_texts(part: _Part, path: str, allowed: Limits) -> None:
    match part:
        case Name(pattern=text) | Type(pattern=text):
            check_text(text, f"{path}.pattern", allowed)
            if text.count("*") > _WILDCARDS:
                raise ValueError(f"more than {_WILDCARDS} wildcards: give a shorter pattern - at `{path}.pattern`")
        case Modifier(name=text):
            check_text(text, f"{path}.name", allowed)
        case Value(text=text):
            check_text(text, f"{path}.text", allowed, empty=True, controls=True)


def _parts(target: Node) -> Iterator[tuple[str, int, _Part]]:
    """Every construct and condition with its place and depth."""
    pending: list[tuple[str, int, _Part]] = [("$.target", 1, target)]
    while pending:
        path, depth, part = pending.pop()
        yield path, depth, part
        match part:
            case Node(where=conditions):
                pending += [(f"{path}.where[{i}]", depth, inner) for i, inner in enumerate(conditions)]
            case Related(node=node):
                pending.append((f"{path}.node", depth + 1, node))
            case Not(condition=condition):
                pending.append((f"{path}.condition", depth + 1, condition))
            case AllOf(conditions=conditions) | AnyOf(conditions=conditions):
                pending += [(f"{path}.conditions[{i}]", depth + 1, inner) for i, inner in enumerate(conditions)]
