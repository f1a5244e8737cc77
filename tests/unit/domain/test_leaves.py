"""Comparing trees whose folder ids can't be trusted."""

from headwater.domain.merkle import EntryChange, diff_at, diff_leaves, leaves
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry

A, B, C = (TreeEntry(Mode.FILE, name, name * 40) for name in "abc")


class Folders:
    """A tree reader that, as a manifest, goes by path."""

    def __init__(self, **folders: tuple[TreeEntry, ...]) -> None:
        self._folders = {name.replace("root", ""): rows for name, rows in folders.items()}

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        return self._folders.get(path, ())


SUB = TreeEntry(Mode.TREE, "sub", "5" * 40)
GIT = Folders(root=(A, SUB), sub=(B, C))
LIES = Folders(root=(A, SUB), sub=(B,))  # its folder still claims the id of the whole one


def test_every_leaf_comes_with_its_path() -> None:
    assert dict(leaves(GIT, "")) == {"a": A, "sub/b": B, "sub/c": C}


def test_a_lost_leaf_is_found_although_the_ids_agree() -> None:
    assert diff_leaves(LIES, "", GIT, "r") == (EntryChange("sub/c", None, C),)
    assert diff_leaves(GIT, "", GIT, "r") == ()


def test_single_paths_are_compared() -> None:
    assert diff_at(LIES, "", GIT, "r", ["sub/c", "a", "sub/c", "gone", "a/b"]) == (EntryChange("sub/c", None, C),)
    assert diff_at(GIT, "", Folders(), EMPTY_TREE, ["sub/b"]) == (EntryChange("sub/b", B, None),)
