"""The files a structural query reads: path, language and bytes, from wherever the caller has them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha1
from pathlib import Path, PurePosixPath
from typing import Protocol

import msgspec

LANGUAGES = ("java", "python", "javascript", "typescript", "tsx", "go")
_BY_SUFFIX = {
    ".java": "java",
    ".py": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
}


class SourceFile(msgspec.Struct, frozen=True):
    """One file's UTF-8 bytes; `blob` is git's hash of them and the key of everything derived from them."""

    path: str
    language: str
    content: bytes

    @property
    def blob(self) -> str:
        return sha1(b"blob %d\0" % len(self.content) + self.content, usedforsecurity=False).hexdigest()


class Source(Protocol):
    """What every engine needs of a file; `content` is b"" where no text can be had."""

    @property
    def path(self) -> str: ...

    @property
    def language(self) -> str: ...

    @property
    def blob(self) -> str: ...

    @property
    def content(self) -> bytes: ...


@dataclass(frozen=True)
class StoredFile:
    """A file whose blob is known and whose bytes are read only when they are needed."""

    path: str
    language: str
    blob: str
    read: Callable[[], bytes | None]

    @cached_property
    def content(self) -> bytes:
        return self.read() or b""


class Sources(Protocol):
    """Yields the files that the caller may search; iterating again yields them again."""

    def __iter__(self) -> Iterator[Source]: ...


def language_of(path: str) -> str:
    """The language by the file's suffix, "" for one that no engine reads."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower(), "")


class FolderSources:
    """Every readable source file below a folder, in order of path."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __iter__(self) -> Iterator[SourceFile]:
        for path in sorted(self._root.rglob("*")):
            language = language_of(path.name)
            if language and path.is_file():
                yield SourceFile(path.relative_to(self._root).as_posix(), language, path.read_bytes())
