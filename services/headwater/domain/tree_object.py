"""Tree objects as git stores them: from their bytes to entries, and from entries to the id of those very bytes.

Git writes trees in one form: sorted, modes without leading zeros, no name twice, no empty folder. Old programs and
attackers wrote others, and what git stores once is part of history. Such a tree's entries are followed by one more, its
*form*, which has the order and the modes as they were written; with it the entries hash to the tree's own id.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from headwater.domain.path import path_from_git, path_to_git
from headwater.domain.tree import EMPTY_TREE, FORM, FORM_NAME, Mode, TreeEntry, TreeUnreadableError

_ID = 20  # bytes of an object id
_AGAIN = "\uef00"  # after the spelling of a name that the tree has already: the byte 0, which no name holds
_MISSPELLED = range(0xEF00, 0xEF80)  # ASCII bytes, where the name couldn't be a file's on any disk
_KINDS = {0o040000: Mode.TREE, 0o120000: Mode.SYMLINK}


def read_tree_object(raw: bytes) -> tuple[TreeEntry, ...]:
    """The entries of a tree object's content, and its form where it has an unusual one.

    Every name has a spelling of its own: one that can't be a file's (empty, `.`, `..`, with a slash) and one that
    stands there again are spelled with characters that no other name has, see `is_misspelled`.

    Raises TreeUnreadableError.
    """
    entries: list[TreeEntry] = []
    form: list[bytes] = []
    taken: set[str] = set()
    for written, raw_name, oid in _rows(raw):
        mode, name = _mode(written), _spelled(raw_name, taken)
        taken.add(name)
        form.append(written + b" " + name.encode() + b"\0")
        if mode != Mode.TREE or oid != EMPTY_TREE:
            entries.append(TreeEntry(mode, name, oid))
    if _body(_usual(entries)) == raw:
        return tuple(entries)
    return (*entries, TreeEntry(FORM, FORM_NAME, b"".join(form).hex()))


def hash_tree(entries: Iterable[TreeEntry]) -> str:
    """The id (40 hex) git gives a tree of these entries, in whatever order they come; a form among them is followed."""
    rows = {entry.name: entry for entry in entries}
    form = rows.pop(FORM_NAME, None)
    body = _body(_usual(rows.values()) if form is None else _formed(rows, bytes.fromhex(form.oid)))
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


def tree_order(entry: TreeEntry) -> bytes:
    """What git sorts a tree by: a folder counts as if its name ended in a slash."""
    return _raw_name(entry.name) + (b"/" if entry.is_tree else b"")


def is_misspelled(path: str) -> bool:
    """Whether a part of it is a name that no file can have, or that its tree has twice."""
    return any(ord(character) in _MISSPELLED for character in path)


_Row = tuple[bytes, bytes, str]  # mode as written, name, id


def _rows(raw: bytes) -> Iterator[_Row]:
    at = 0
    while at < len(raw):
        blank = raw.find(b" ", at, at + 16)
        end = raw.find(b"\0", blank + 1)
        mode, oid = raw[at:blank], raw[end + 1 : end + 1 + _ID]
        if blank < 0 or end < 0 or len(oid) < _ID or not mode or mode.strip(b"01234567"):
            raise TreeUnreadableError("it is no tree object that git could read")
        yield mode, raw[blank + 1 : end], oid.hex()
        at = end + 1 + _ID


def _mode(written: bytes) -> int:
    """As git takes it: a folder, a link, a file with the permissions that it has, or else a submodule."""
    mode = int(written, 8) & 0o177777
    return mode if mode & 0o170000 == 0o100000 else _KINDS.get(mode & 0o170000, Mode.SUBMODULE)


def _spelled(raw: bytes, taken: set[str]) -> str:
    name = path_from_git(raw)
    if raw in (b".", b".."):
        name = _misspelled(name)
    elif b"/" in raw:
        name = name.replace("/", _misspelled("/"))
    name = name or _AGAIN
    while name in taken:
        name += _AGAIN
    return name


def _misspelled(text: str) -> str:
    return "".join(chr(_MISSPELLED.start + ord(character)) for character in text)


def _raw_name(name: str) -> bytes:
    return path_to_git(name).partition(b"\0")[0]


def _usual(entries: Iterable[TreeEntry]) -> Iterator[_Row]:
    """As git would write them."""
    for entry in sorted(entries, key=lambda e: (tree_order(e), e.name)):
        yield b"%o" % entry.mode, _raw_name(entry.name), entry.oid


def _formed(rows: Mapping[str, TreeEntry], form: bytes) -> Iterator[_Row]:
    """As the form says; what doesn't agree with it is written as it is, so that the id is another one."""
    named: set[str] = set()
    for item in form.split(b"\0")[:-1]:
        written, _, spelled = item.partition(b" ")
        name = spelled.decode()
        row = rows.get(name, TreeEntry(Mode.TREE, name, EMPTY_TREE))
        named.add(name)
        yield written if _mode(written) == row.mode else b"%o" % row.mode, _raw_name(name), row.oid
    yield from _usual(row for name, row in rows.items() if name not in named)


def _body(rows: Iterable[_Row]) -> bytes:
    return b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in rows)
