"""Reads JSON that anybody may have written: what has two meanings or no bound is refused."""

import json
import re
from typing import Any, NoReturn

from headwater.structural.too_large import TooLargeError

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.?)*+"?|[\[\]{}]', re.DOTALL)
_BRACKETS_A_LEVEL = 3  # a list of conditions, a condition, its construct
_DIGITS = 18


def read_json(text: str, most_bytes: int, most_depth: int) -> object:
    """Linear in the text. Raises TooLargeError; ValueError for what is no JSON, a key that is twice in an object, NaN
    and integers of more than 18 digits."""
    if len(text.encode("utf-8", "replace")) > most_bytes:
        raise TooLargeError("structural_text_bytes", f"the text has more than {most_bytes} bytes: ask for less at once")
    _check_depth(text, _BRACKETS_A_LEVEL * (most_depth + 1), most_depth)
    return json.loads(text, object_pairs_hook=_object, parse_constant=_refused, parse_int=_integer)


def _check_depth(text: str, most: int, levels: int) -> None:
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > most:
            raise TooLargeError("structural_depth", f"it nests more than {levels} levels deep: ask for less at once")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{key[:40]}' is twice in one object: give it once")
        found[key] = value
    return found


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON: give a number")


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"{digits[:_DIGITS]}… has more than {_DIGITS} digits: give a smaller number")
    return int(digits)
