"""Paths as people type them: the same text may be spelled in several Unicode normal forms, and git tells them apart."""

import unicodedata

from headwater.query.access import Access


def folded(path: str) -> str:
    """One form for all spellings of a text."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def plain(path: str) -> str:
    """As git has it: without "./" in front and "/" at the end; blanks are part of names."""
    return path.removeprefix("./").rstrip("/")


def spellings(access: Access, path: str) -> list[str]:
    """The paths of files and folders of the scope that are spelled as `path` or as the same text; always `path`."""
    if path.isascii():
        return [path]
    wanted, depth = folded(path), path.count("/") + 1
    rows = access.reader.files(access.scope, _ascii_folder(path))
    starts = {"/".join(row.path.split("/")[:depth]) for row in rows}
    return sorted({path, *(start for start in starts if folded(start) == wanted)})


def _ascii_folder(path: str) -> str:
    """The folders in front of the first name that has several spellings."""
    first = next(i for i, char in enumerate(path) if not char.isascii())
    return path[:first].rpartition("/")[0]
