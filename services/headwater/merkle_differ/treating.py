"""How each file of one tree is treated: left out by an ignore rule, or analysed under the settings in force."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.ignore import IGNORE_FILE, IgnoreRules, parse_patterns, selects
from headwater.domain.merkle import EntryChange, Lookup, leaves
from headwater.domain.path import path_to_git
from headwater.domain.treatment import BAD_NAME_VARIANT, IGNORED_VARIANT, Treatment, over_variant
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, TreeUnreadableError
from headwater.domain.tree_object import is_misspelled
from headwater.stores.git_source import GitObjects

_UNKNOWN = 1 << 62  # bytes


class TreeTreatment:
    """One tree's. Every method raises TreeUnreadableError when git can't tell: a file is never indexed on a guess."""

    def __init__(self, treatment: Treatment, objects: GitObjects, tree: str) -> None:
        """`treatment` is what applies to the repository."""
        self._treatment, self._objects, self._tree = treatment, objects, tree
        self._entries = Lookup(objects, tree)
        self._rules = IgnoreRules(treatment.ignore, self._ignore_file)
        self._only = parse_patterns("\n".join(treatment.only).encode())
        self._content = treatment.content
        self._over = over_variant(treatment)
        self._cut: bytes | None = None
        self._cut_known = not self._over

    def variant(self, path: str) -> str:
        """The part of the document's key that says how the file at this path is treated."""
        if is_misspelled(path):
            return BAD_NAME_VARIANT
        if self._is_ignored(path):
            return IGNORED_VARIANT
        if self._over and (cut := self.cut()) is not None and path_to_git(path) >= cut:
            return self._over
        return (
            self._content.for_size(self._size(path)).variant if self._content.asks_for_size else self._content.variant
        )

    @property
    def has_limits(self) -> bool:
        """Whether another file's change may change how a file is treated."""
        return bool(self._over)

    def cut(self) -> bytes | None:
        """The first path that the repository's limits leave out, in git's order of bytes; None: they leave out none.

        It takes a look at the whole tree, where there are such limits.
        """
        if not self._cut_known:
            self._cut, self._cut_known = self._first_over(), True
        return self._cut

    def _first_over(self) -> bytes | None:
        most, most_bytes = self._treatment.max_files, self._treatment.max_total_bytes
        files = total = 0
        for raw, path in sorted((path_to_git(p), p) for p, _ in leaves(self._objects, self._tree, "")):
            if self._is_ignored(path):
                continue
            files, total = files + 1, total + (self._size(path) % _UNKNOWN if most_bytes else 0)
            if (most and files > most) or (most_bytes and total > most_bytes):
                return raw
        return None

    def _is_ignored(self, path: str) -> bool:
        return self._rules.ignores(path) or (bool(self._only) and not selects(self._only, path))

    def _size(self, path: str) -> int:
        """Bytes in git; _UNKNOWN where that can't be told now: the chunker's own look decides then."""
        entry = self._entries.leaf(path)
        if entry is None or entry.mode == Mode.SUBMODULE:
            return 0
        try:
            return self._objects.blob_size(entry.oid)
        except TreeUnreadableError:
            return _UNKNOWN

    def applied(self, changes: Iterable[EntryChange]) -> tuple[EntryChange, ...]:
        """The changes, each with the treatment of its new side."""
        return tuple(
            msgspec.structs.replace(c, variant=self.variant(c.path)) if c.new is not None and c.new.is_file else c
            for c in changes
        )

    def reconsidered(
        self, changes: Sequence[EntryChange], all_of_it: bool, former: "TreeTreatment | None" = None
    ) -> tuple[EntryChange, ...]:
        """Unchanged files whose treatment may be another one now: those below a changed ignore file, or all.

        Also those between where the repository's limits end now and where they ended in `former`.
        """
        folders = [""] if all_of_it else ignore_folders(changes)
        changed = {change.path for change in changes}
        found = {path: entry for folder in folders for path, entry in leaves(self._objects, *self._folder(folder))}
        found |= self._passed(former) if former is not None else {}
        same = (EntryChange(path, entry, entry) for path, entry in found.items() if path not in changed)
        return self.applied(same)

    def _passed(self, former: "TreeTreatment") -> dict[str, TreeEntry]:
        if not self._over:
            return {}
        try:
            ends = {self.cut(), former.cut()}
        except TreeUnreadableError:  # the former tree is gone from git
            ends = {b"", None}
        if len(ends) == 1:
            return {}
        first = min(end for end in ends if end is not None)
        last = None if None in ends else max(end for end in ends if end is not None)
        between = leaves(self._objects, self._tree, "")
        return {p: e for p, e in between if (raw := path_to_git(p)) >= first and (last is None or raw < last)}

    def _folder(self, path: str) -> tuple[str, str]:
        entry = self._entries.entry(path) if path else None
        oid = self._tree if not path else entry.oid if entry is not None and entry.is_tree else EMPTY_TREE
        return oid, path

    def _ignore_file(self, folder: str) -> bytes | None:
        entry = self._entries.entry(f"{folder}/{IGNORE_FILE}" if folder else IGNORE_FILE)
        if entry is None or not entry.is_file or entry.mode in (Mode.SYMLINK, Mode.SUBMODULE):  # no link is followed
            return None
        return self._objects.read_blob(entry.oid)


def ignore_folders(changes: Iterable[EntryChange]) -> list[str]:
    """The outermost folders whose own ignore file changed."""
    folders = {c.path.rpartition("/")[0] for c in changes if c.path.rpartition("/")[2] == IGNORE_FILE}
    return [f for f in sorted(folders) if not any(is_below(f, other) for other in folders - {f})]


def is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
