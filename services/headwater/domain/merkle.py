"""The Merkle diff: which entries differ between two trees, found root-down in O(changed)."""

from collections.abc import Iterable, Iterator

import msgspec

from headwater.domain.path import path_to_git
from headwater.domain.tree import (
    EMPTY_TREE,
    TreeBounds,
    TreeEntry,
    TreeReader,
    TreeTooLargeError,
    TreeUnreadableError,
)
from headwater.domain.tree_object import hash_tree


class EntryChange(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One leaf (file, link, submodule or a tree's form) that differs; `old` or `new` is None where there is none.

    Both are equal where only the treatment may differ.
    """

    path: str
    old: TreeEntry | None
    new: TreeEntry | None
    variant: str = ""  # how `new` is treated, see domain/treatment.py

    @property
    def is_of_file(self) -> bool:
        """Not of a tree's form alone."""
        return any(side is not None and side.is_file for side in (self.old, self.new))


class TreeDiff(msgspec.Struct, frozen=True):
    """Every differing leaf in path order of discovery, and how many tree objects were read to find them."""

    changes: tuple[EntryChange, ...]
    nodes_visited: int


def diff_trees(
    old: TreeReader, old_oid: str, new: TreeReader, new_oid: str, bounds: TreeBounds | None = None
) -> TreeDiff:
    """Compare two trees root-down; equal subtrees are never opened. Ids are 40 hex, EMPTY_TREE for nothing.

    Raises TreeUnreadableError from either reader, TreeTooLargeError once what is new in `new` is over a bound.
    """
    walk = _Walk(old, new, bounds)
    changes = tuple(walk.changes(old_oid, new_oid))
    return TreeDiff(changes, walk.visited)


def recompute_root(reader: TreeReader) -> str:
    """The root's id (40 hex) from the leaves alone: ids of folders that the reader gives are not believed.

    Raises TreeUnreadableError, also where such an id is not that of what is in the folder.
    """
    folders = [""]
    rows: dict[str, tuple[TreeEntry, ...]] = {}
    for path in folders:  # grows while it is read
        rows[path] = reader.read_tree(path, "")
        folders.extend(_join(path, e.name) for e in rows[path] if e.is_tree)
    ids: dict[str, str] = {}
    for path in reversed(folders):
        for folder in (e for e in rows[path] if e.is_tree and e.oid != ids[_join(path, e.name)]):
            raise TreeUnreadableError(f"the id of '{_join(path, folder.name)}' is not that of what is in it")
        ids[path] = hash_tree(rows[path])
    return ids[""]


def leaves(reader: TreeReader, root: str, below: str = "") -> Iterator[tuple[str, TreeEntry]]:
    """Every file of the folder `below`, whose id is `root`, with its path. `reader` may be a manifest."""
    return ((path, entry) for path, entry in _leaves(reader, root, below) if entry.is_file)


def _leaves(reader: TreeReader, root: str, below: str = "") -> Iterator[tuple[str, TreeEntry]]:
    """Forms, too."""
    folders = [(below, root)]
    while folders:
        path, oid = folders.pop()
        for entry in reader.read_tree(path, oid):
            full = _join(path, entry.name)
            if entry.is_tree:
                folders.append((full, entry.oid))
            else:
                yield full, entry


def diff_leaves(old: TreeReader, old_root: str, new: TreeReader, new_root: str) -> tuple[EntryChange, ...]:
    """What differs leaf by leaf, in path order: for trees whose ids are not to be trusted. O(tree)."""
    before, after = dict(_leaves(old, old_root)), dict(_leaves(new, new_root))
    return tuple(
        EntryChange(path, before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )


def diff_at(
    old: TreeReader, old_root: str, new: TreeReader, new_root: str, paths: Iterable[str]
) -> tuple[EntryChange, ...]:
    """What differs at these paths, ids of folders not trusted. O(paths)."""
    before, after = Lookup(old, old_root), Lookup(new, new_root)
    changes = (EntryChange(path, before.leaf(path), after.leaf(path)) for path in dict.fromkeys(paths))
    return tuple(change for change in changes if change.old != change.new)


class Lookup:
    """Finds single entries; each folder is read once."""

    def __init__(self, reader: TreeReader, root: str) -> None:
        self._reader = reader
        self._folders: dict[str, dict[str, TreeEntry]] = {}
        self._root = root

    def leaf(self, path: str) -> TreeEntry | None:
        return _leaf(self.entry(path))

    def entry(self, path: str) -> TreeEntry | None:
        """A leaf or folder. Raises TreeUnreadableError."""
        folder, oid = "", self._root
        *parents, name = path.split("/")
        for part in parents:
            entry = self._entries(folder, oid).get(part)
            if entry is None or not entry.is_tree:
                return None
            folder, oid = _join(folder, part), entry.oid
        return self._entries(folder, oid).get(name)

    def _entries(self, folder: str, oid: str) -> dict[str, TreeEntry]:
        if folder not in self._folders:
            rows = self._reader.read_tree(folder, oid) if oid != EMPTY_TREE else ()
            self._folders[folder] = {entry.name: entry for entry in rows}
        return self._folders[folder]


def _join(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


class _Walk:
    def __init__(self, old: TreeReader, new: TreeReader, bounds: TreeBounds | None) -> None:
        self._old, self._new, self._bounds = old, new, bounds
        self.visited = self._seen = 0

    def changes(self, old_oid: str, new_oid: str) -> Iterator[EntryChange]:
        pending = [("", old_oid, new_oid, 0)]
        while pending:  # iterative: trees nest as deep as anyone likes
            path, was, now, depth = pending.pop()
            if was == now:
                continue
            before, after = self._entries(self._old, path, was), self._entries(self._new, path, now)
            if self._bounds is not None:
                self._check(self._bounds, len(path_to_git(path)), depth, after)
            for name in dict.fromkeys([*before, *after]):
                full = _join(path, name)
                o, n = before.get(name), after.get(name)
                if o == n:
                    continue
                pending.append((full, _subtree(o), _subtree(n), depth + 1))
                o, n = _leaf(o), _leaf(n)
                if o is not None or n is not None:
                    yield EntryChange(full, o, n)

    def _check(self, bounds: TreeBounds, above: int, depth: int, entries: dict[str, TreeEntry]) -> None:
        """`above`: bytes of the folder's path. No path is told: who reads why may not read all of them."""
        self._seen += len(entries)
        if self._seen > bounds.entries:
            raise TreeTooLargeError("view_entries", f"it has more than {bounds.entries} files and folders")
        if depth > bounds.depth and entries:
            raise TreeTooLargeError("view_depth", f"its folders are more than {bounds.depth} deep")
        longest = max((len(path_to_git(name)) for name in entries), default=0)
        if above + 1 + longest > bounds.path_bytes:
            raise TreeTooLargeError("path_bytes", f"a path has more than {bounds.path_bytes} bytes")

    def _entries(self, reader: TreeReader, path: str, oid: str) -> dict[str, TreeEntry]:
        if oid == EMPTY_TREE:
            return {}
        self.visited += 1
        return {e.name: e for e in reader.read_tree(path, oid)}


def _subtree(entry: TreeEntry | None) -> str:
    return entry.oid if entry is not None and entry.is_tree else EMPTY_TREE


def _leaf(entry: TreeEntry | None) -> TreeEntry | None:
    return None if entry is None or entry.is_tree else entry
