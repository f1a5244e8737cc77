"""What a generation changes in a manifest, decided without a database: rows to close, rows to open, the new root."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from headwater.domain.merkle import EntryChange
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry
from headwater.domain.tree_object import hash_tree


class ManifestRow(msgspec.Struct, frozen=True, gc=False):
    """An entry as stored."""

    id: int
    entry: TreeEntry
    key: str = ""  # of its document, where it was asked for


class OpenedEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry to write; its directory is a path, "" for the root."""

    directory: str
    entry: TreeEntry


class ManifestPlan(msgspec.Struct, frozen=True):
    """`closed` are row ids, `emptied` the places (directory, name) of those in whose stead nothing is opened."""

    closed: tuple[int, ...]
    opened: tuple[OpenedEntry, ...]
    emptied: tuple[tuple[str, str], ...]
    root: str


Directory = Mapping[str, ManifestRow]


def plan_generation(
    read: Callable[[str], Directory], changes: Sequence[EntryChange], keys: Mapping[str, str] | None = None
) -> ManifestPlan:
    """Apply the changes' new entries; an equal one stays unless `keys` (by path) says that its document is another.

    `read` gives a directory's current rows by name (empty when it has none). Reads each directory on a changed path
    once: O(changed × depth) reads.
    """
    pending: defaultdict[str, dict[str, TreeEntry | None]] = defaultdict(dict)
    for change in changes:
        directory, _, name = change.path.rpartition("/")
        pending[directory][name] = _named(change.new, name)
        _touch_ancestors(pending, directory)
    closed: list[int] = []
    opened: list[OpenedEntry] = []
    emptied: list[tuple[str, str]] = []
    root = EMPTY_TREE
    for directory in sorted(pending, key=_depth, reverse=True):
        rows = read(directory)
        entries = _apply(rows, pending[directory])
        for name in pending[directory]:
            was, now = rows.get(name), entries.get(name)
            if was is not None and was.entry == now and _same_document(was, directory, name, keys):
                continue
            if was is not None:
                closed.append(was.id)
            if now is not None:
                opened.append(OpenedEntry(directory, now))
            elif was is not None:
                emptied.append((directory, name))
        oid = hash_tree(entries.values()) if entries else EMPTY_TREE
        if directory == "":
            root = oid
        else:
            _hand_up(pending, directory, oid)
    return ManifestPlan(tuple(closed), tuple(opened), tuple(emptied), root if pending else root_of(read("")))


def _same_document(row: ManifestRow, directory: str, name: str, keys: Mapping[str, str] | None) -> bool:
    path = f"{directory}/{name}" if directory else name
    return keys is None or row.entry.is_tree or keys.get(path, row.key) == row.key


def root_of(rows: Directory) -> str:
    """The tree id of a directory's rows."""
    return hash_tree(row.entry for row in rows.values())


def _apply(rows: Directory, changes: Mapping[str, TreeEntry | None]) -> dict[str, TreeEntry]:
    entries = {name: row.entry for name, row in rows.items()}
    for name, entry in changes.items():
        if entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
    return entries


def _hand_up(pending: defaultdict[str, dict[str, TreeEntry | None]], directory: str, oid: str) -> None:
    """A directory that has entries is an entry of its parent; an empty one isn't, unless a leaf took its name."""
    parent, _, name = directory.rpartition("/")
    if oid != EMPTY_TREE:
        pending[parent][name] = TreeEntry(Mode.TREE, name, oid)
    else:
        pending[parent].setdefault(name, None)


def _touch_ancestors(pending: defaultdict[str, dict[str, TreeEntry | None]], directory: str) -> None:
    while directory:
        directory = directory.rpartition("/")[0]
        if directory in pending:
            return
        pending[directory] = {}


def _named(entry: TreeEntry | None, name: str) -> TreeEntry | None:
    """The entry under its own last name, whatever the change called it."""
    if entry is None or entry.name == name:
        return entry
    return TreeEntry(entry.mode, name, entry.oid)


def _depth(directory: str) -> int:
    return directory.count("/") + 1 if directory else 0
