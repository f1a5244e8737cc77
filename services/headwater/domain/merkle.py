"""The Merkle diff: which entries differ between two trees, found root-down in O(changed)."""

from collections.abc import Iterator

import msgspec

from headwater.domain.tree import EMPTY_TREE, TreeEntry, TreeReader, hash_tree


class EntryChange(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One leaf (file, link or submodule) that differs. `old` or `new` is None where it does not exist on that side."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


class TreeDiff(msgspec.Struct, frozen=True):
    """Every differing leaf in path order of discovery, and how many tree objects were read to find them."""

    changes: tuple[EntryChange, ...]
    nodes_visited: int


def diff_trees(old: TreeReader, old_oid: str, new: TreeReader, new_oid: str) -> TreeDiff:
    """Compare two trees root-down; equal subtrees are never opened. Ids are 40 hex, EMPTY_TREE for nothing.

    Raises TreeUnreadableError from either reader.
    """
    walk = _Walk(old, new)
    changes = tuple(walk.changes(old_oid, new_oid))
    return TreeDiff(changes, walk.visited)


def recompute_root(reader: TreeReader) -> str:
    """The root's id (40 hex) from the leaves alone: ids of folders that the reader gives are not believed."""
    folders = [""]
    rows: dict[str, tuple[TreeEntry, ...]] = {}
    for path in folders:  # grows while it is read
        rows[path] = reader.read_tree(path, "")
        folders.extend(_join(path, e.name) for e in rows[path] if e.is_tree)
    ids: dict[str, str] = {}
    for path in reversed(folders):
        ids[path] = hash_tree(
            TreeEntry(e.mode, e.name, ids[_join(path, e.name)]) if e.is_tree else e for e in rows[path]
        )
    return ids[""]


def _join(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


class _Walk:
    def __init__(self, old: TreeReader, new: TreeReader) -> None:
        self._old, self._new = old, new
        self.visited = 0

    def changes(self, old_oid: str, new_oid: str) -> Iterator[EntryChange]:
        pending = [("", old_oid, new_oid)]
        while pending:  # iterative: trees nest as deep as anyone likes
            path, was, now = pending.pop()
            if was == now:
                continue
            before, after = self._entries(self._old, path, was), self._entries(self._new, path, now)
            for name in dict.fromkeys([*before, *after]):
                full = _join(path, name)
                o, n = before.get(name), after.get(name)
                if o == n:
                    continue
                pending.append((full, _subtree(o), _subtree(n)))
                o, n = _leaf(o), _leaf(n)
                if o is not None or n is not None:
                    yield EntryChange(full, o, n)

    def _entries(self, reader: TreeReader, path: str, oid: str) -> dict[str, TreeEntry]:
        if oid == EMPTY_TREE:
            return {}
        self.visited += 1
        return {e.name: e for e in reader.read_tree(path, oid)}


def _subtree(entry: TreeEntry | None) -> str:
    return entry.oid if entry is not None and entry.is_tree else EMPTY_TREE


def _leaf(entry: TreeEntry | None) -> TreeEntry | None:
    return None if entry is None or entry.is_tree else entry
