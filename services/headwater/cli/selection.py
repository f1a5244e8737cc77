"""Turns the filters of a command line into the fields that every question shares."""

import argparse
import re
from typing import Any

from headwater.domain.question import Place

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<col>\d+)")


def selection(arguments: argparse.Namespace) -> dict[str, Any]:
    """Keyword arguments of `Question`."""
    return {
        "repos": tuple(arguments.repo),
        "refs": tuple(arguments.ref),
        "path_globs": tuple(arguments.path),
        "languages": tuple(arguments.lang),
        "limit": arguments.limit,
        "page_token": arguments.page,
    }


def subject(text: str) -> dict[str, Any]:
    """`symbol` or `place` of a question about a symbol; PATH:LINE:COL is a place."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return {"symbol": text}
    return {"place": Place(match["path"], int(match["line"]), int(match["col"]))}
