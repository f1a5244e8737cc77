"""Turns the filters of a command line into the fields that every question shares."""

import argparse
import re
from typing import Any

from headwater.cli.worktrees import known_copy
from headwater.domain.question import Place
from headwater.embedded.home import Home

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<col>\d+)", re.DOTALL)


def selection(arguments: argparse.Namespace) -> dict[str, Any]:
    """Keyword arguments of `Question`. Raises CommandError for a working copy that isn't indexed."""
    repos, refs = tuple(arguments.repo), tuple(arguments.ref)
    if arguments.worktree:
        copy = known_copy(Home.default(), arguments.worktree, "")
        repos, refs = (*repos, copy.repo), (*refs, copy.view.ref)
    return {
        "repos": repos,
        "refs": refs,
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
