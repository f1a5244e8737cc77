"""Which formats of git repositories can be read, and what to do about the others."""

import re

import pygit2
from pygit2.enums import Option

# beside those that libgit2 knows: it maps ids to those of another hash, in files of its own that aren't read here
_HARMLESS = ["compatobjectformat"]
_SHA256 = (
    "has SHA-256 ids, which aren't supported: index a copy with SHA-1 ids, made by 'git init --bare COPY' and"
    " 'git fast-export --all | git -C COPY fast-import'"
)
_REASONS = (
    (re.compile("unknown object format 'sha256'|mismatched algorithms"), _SHA256),
    (
        re.compile(r"extensions\.refstorage"),
        "keeps its refs in a format other than files, which isn't supported: run 'git refs migrate --ref-format=files'"
        " in it, or index a copy made by 'git clone --bare'",
    ),
    (
        re.compile(r"extensions?(?: name)? (extensions\.\S+)|(repository version \d+)|(object format '[^']*')"),
        "uses a format of git's that isn't supported ({}): index a copy made by 'git clone --bare'",
    ),
)


def accept_harmless_formats() -> None:
    """Once for a process."""
    pygit2.option(Option.SET_EXTENSIONS, _HARMLESS, len(_HARMLESS))


def unsupported(said: str) -> str | None:
    """What to do about a repository of which git said this on opening or fetching; None when it is no such case."""
    for found, advice in _REASONS:
        if (match := found.search(said)) is not None:
            return advice.format(next(filter(None, match.groups()), ""))
    return None
