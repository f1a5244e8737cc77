"""How each file of one tree is treated: left out by an ignore rule, or analysed under the settings in force."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.ignore import IGNORE_FILE, IgnoreRules
from headwater.domain.merkle import EntryChange, Lookup, leaves
from headwater.domain.treatment import IGNORED_VARIANT, Treatment
from headwater.domain.tree import EMPTY_TREE, Mode
from headwater.stores.git_source import GitObjects


class TreeTreatment:
    """One tree's. Every method raises TreeUnreadableError when git can't tell: a file is never indexed on a guess."""

    def __init__(self, treatment: Treatment, objects: GitObjects, tree: str) -> None:
        self._treatment, self._objects, self._tree = treatment, objects, tree
        self._entries = Lookup(objects, tree)
        self._rules = IgnoreRules(treatment.ignore, self._ignore_file)
        self._content = treatment.content.variant

    def variant(self, path: str) -> str:
        """The part of the document's key that says how the file at this path is treated."""
        return IGNORED_VARIANT if self._rules.ignores(path) else self._content

    def applied(self, changes: Iterable[EntryChange]) -> tuple[EntryChange, ...]:
        """The changes, each with the treatment of its new side."""
        return tuple(
            msgspec.structs.replace(c, variant=self.variant(c.path)) if c.new is not None else c for c in changes
        )

    def reconsidered(self, changes: Sequence[EntryChange], all_of_it: bool) -> tuple[EntryChange, ...]:
        """Unchanged files whose treatment may be another one now: those below a changed ignore file, or all."""
        folders = [""] if all_of_it else ignore_folders(changes)
        changed = {change.path for change in changes}
        found = {path: entry for folder in folders for path, entry in leaves(self._objects, *self._folder(folder))}
        same = (EntryChange(path, entry, entry) for path, entry in found.items() if path not in changed)
        return self.applied(same)

    def _folder(self, path: str) -> tuple[str, str]:
        entry = self._entries.entry(path) if path else None
        oid = self._tree if not path else entry.oid if entry is not None and entry.is_tree else EMPTY_TREE
        return oid, path

    def _ignore_file(self, folder: str) -> bytes | None:
        entry = self._entries.entry(f"{folder}/{IGNORE_FILE}" if folder else IGNORE_FILE)
        if entry is None or entry.mode not in (Mode.FILE, Mode.EXECUTABLE):  # a link is not followed, as in git
            return None
        return self._objects.read_blob(entry.oid)


def ignore_folders(changes: Iterable[EntryChange]) -> list[str]:
    """The outermost folders whose own ignore file changed."""
    folders = {c.path.rpartition("/")[0] for c in changes if c.path.rpartition("/")[2] == IGNORE_FILE}
    return [f for f in sorted(folders) if not any(is_below(f, other) for other in folders - {f})]


def is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
