"""The arguments that the tools share, with the descriptions that a model reads."""

import re
from typing import Annotated, TypedDict

from pydantic import Field

from headwater.domain.question import Place
from headwater.mcp_server.budget import DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS

Repos = Annotated[tuple[str, ...], Field(description="only these repositories; empty: all")]
Refs = Annotated[
    tuple[str, ...],
    Field(description="branches, tags or commits instead of each repository's default branch; '*': all"),
]
Paths = Annotated[
    tuple[str, ...], Field(description="only paths that match one of these globs; a leading '!' excludes: '!tests/'")
]
Languages = Annotated[tuple[str, ...], Field(description="only these languages, lower case: python, java, go")]
Limit = Annotated[int, Field(description="at most this many results", ge=1, le=500)]
Page = Annotated[str, Field(description="next_page of the answer before, with otherwise the same arguments")]
MaxTokens = Annotated[int, Field(description="size of the answer in tokens", ge=MIN_TOKENS, le=MAX_TOKENS)]
Symbol = Annotated[
    str,
    Field(description="a plain or qualified name ('Store.save'), or a place where it stands ('src/store.py:12:9')"),
]
TOKENS = DEFAULT_TOKENS

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<col>\d+)\s*", re.DOTALL)


class Selected(TypedDict):
    """The fields that every question shares."""

    repos: tuple[str, ...]
    refs: tuple[str, ...]
    path_globs: tuple[str, ...]
    languages: tuple[str, ...]


class Subject(TypedDict):
    """What a question about a symbol is about: exactly one is given."""

    symbol: str
    place: Place | None


def selected(repos: Repos, refs: Refs, paths: Paths, languages: Languages) -> Selected:
    return Selected(repos=repos, refs=refs, path_globs=paths, languages=languages)


def subject(text: str) -> Subject:
    """PATH:LINE:COL is a place."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return Subject(symbol=text, place=None)
    return Subject(symbol="", place=Place(match["path"], int(match["line"]), int(match["col"])))
