"""Git trees as values: entries, their modes, and who reads them."""

import hashlib
from enum import IntEnum
from typing import Protocol

import msgspec

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Mode(IntEnum):
    """The entry modes that git writes."""

    TREE = 0o040000
    FILE = 0o100644
    EXECUTABLE = 0o100755
    SYMLINK = 0o120000
    SUBMODULE = 0o160000


FORM, FORM_NAME = 1, "."  # of the entry that says how an unusual tree is written, see domain/tree_object.py


class TreeEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One row of a git tree. A file's `mode` is kept as found: old repositories hold modes outside `Mode`."""

    mode: int
    name: str
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode == Mode.TREE

    @property
    def is_file(self) -> bool:
        """A file, link or submodule: what has a document."""
        return self.mode not in (Mode.TREE, FORM)


class TreeBounds(msgspec.Struct, frozen=True):
    """The largest tree that is taken in."""

    depth: int  # folders within folders
    entries: int  # files and folders in all; one that is in several folders counts in each
    path_bytes: int


class TreeTooLargeError(Exception):
    """A tree is over one of its bounds, named by its field in `headwater.limits.Limits`."""

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class TreeReader(Protocol):
    """Reads one directory. Git trees, the index's manifest and working copies all implement it."""

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        """The entries of the directory at `path` ("" for the root) whose tree id is `oid`, in git's order.

        Raises TreeUnreadableError when it can't be read now: never answers with an empty tree instead.
        """
        ...


class TreeUnreadableError(Exception):
    """A tree or blob that should exist could not be read; the reader should retry."""


def hash_blob(content: bytes) -> str:
    """The id (40 hex) git gives a blob of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
