"""Git trees as values: entries, modes, and the hash that git itself would give."""

import hashlib
from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol

import msgspec

from headwater.domain.path import path_to_git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Mode(IntEnum):
    """The entry modes that git writes."""

    TREE = 0o040000
    FILE = 0o100644
    EXECUTABLE = 0o100755
    SYMLINK = 0o120000
    SUBMODULE = 0o160000


class TreeEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One row of a git tree. `mode` is kept as found (old repositories hold modes outside `Mode`)."""

    mode: int
    name: str
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode == Mode.TREE


class TreeReader(Protocol):
    """Reads one directory. Git trees, the index's manifest and working copies all implement it."""

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        """The entries of the directory at `path` ("" for the root) whose tree id is `oid`, in git's order.

        Raises TreeUnreadableError when it can't be read now: never answers with an empty tree instead.
        """
        ...


class TreeUnreadableError(Exception):
    """A tree or blob that should exist could not be read; the reader should retry."""


def hash_tree(entries: Iterable[TreeEntry]) -> str:
    """The id (40 hex) git gives a tree of these entries, in whatever order they come."""
    rows = sorted((path_to_git(e.name) + (b"/" if e.is_tree else b""), e) for e in entries)
    body = b"".join(b"%o %s\0" % (e.mode, path_to_git(e.name)) + bytes.fromhex(e.oid) for _, e in rows)
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


def hash_blob(content: bytes) -> str:
    """The id (40 hex) git gives a blob of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
