"""The catalog's statements in PostgreSQL's words, with what each parameter becomes."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

Binder = Callable[[Any], tuple[Any, ...]]

_NUL = "\0"  # PostgreSQL's texts have none; where one stood, nothing can be found by it
_MARK = re.compile(r"IN @(ints|texts|hexes)|@scope|@locked|\?")
_SCOPE = ("i", "view", "generation", "above", "above_generation")
_ARRAYS = {"ints": "bigint", "texts": "text", "hexes": "bytea"}


class Statement(msgspec.Struct, frozen=True):
    """SQL with numbered places, and one binder a parameter."""

    sql: str
    binders: tuple[Binder, ...]

    def bind(self, params: Sequence[Any]) -> list[Any]:
        return [value for bind, param in zip(self.binders, params, strict=True) for value in bind(param)]


@cache
def spelled(sql: str) -> Statement:
    """The statement for `sql` of the dialect that `Session` describes."""
    binders: list[Binder] = []
    places = 0

    def spell(match: re.Match[str]) -> str:
        nonlocal places
        if match[0] == "@locked":
            return "FOR UPDATE"
        places += 1
        if match[0] == "?":
            binders.append(_plain)
            return f"${places}"
        if match[1]:
            binders.append(_hexes if match[1] == "hexes" else _array)
            return f"= ANY(${places}::{_ARRAYS[match[1]]}[])"
        binders.append(_scope)
        places += len(_SCOPE) - 1
        arrays = ", ".join(f"${n}::bigint[]" for n in range(places - len(_SCOPE) + 1, places + 1))
        return f"(SELECT * FROM unnest({arrays}) AS pinned({', '.join(_SCOPE)}))"

    text = _MARK.sub(spell, sql)
    return Statement(text, tuple(binders))


def numbered(places: int) -> str:
    return ", ".join(f"${n}" for n in range(1, places + 1))


def cleaned(rows: Sequence[Sequence[Any]]) -> Iterator[list[Any]]:
    """Rows without NUL in their texts."""
    for row in rows:
        yield [_without_nul(value) for value in row]


def _without_nul(value: Any) -> Any:
    return value.replace(_NUL, "\ufffd") if isinstance(value, str) and _NUL in value else value


def _plain(param: Any) -> tuple[Any, ...]:
    return (_without_nul(param),)


def _array(param: Sequence[Any]) -> tuple[Any, ...]:
    return ([_without_nul(value) for value in param],)


def _hexes(param: Sequence[str]) -> tuple[Any, ...]:
    return ([bytes.fromhex(value) for value in param],)


def _scope(param: Sequence[Sequence[int]]) -> tuple[Any, ...]:
    return tuple([row[n] for row in param] for n in range(len(_SCOPE)))
