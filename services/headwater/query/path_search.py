"""Files by path: whole paths, ends of paths and parts of file names."""

from collections import OrderedDict
from threading import Lock

from headwater.query.access import Access
from headwater.query.path_spelling import folded
from headwater.stores.index_reader import DocumentRow, IndexReader, Snapshot

MAX_FILES = 200


class PathLists:
    """The paths of recently asked snapshots, lower-cased once."""

    def __init__(self, reader: IndexReader, keep: int = 8) -> None:
        self._reader, self._keep, self._lock = reader, keep, Lock()
        self._lists: OrderedDict[tuple[int, int], list[tuple[str, str]]] = OrderedDict()

    def of(self, snapshot: Snapshot) -> list[tuple[str, str]]:
        """(lower-case path in one Unicode form, path) of each indexed file."""
        key = (snapshot.view_id, snapshot.generation)
        with self._lock:
            if (found := self._lists.get(key)) is not None:
                self._lists.move_to_end(key)
                return found
        rows = self._reader.files((snapshot,))
        paths = [(folded(row.path).lower(), row.path) for row in rows if row.status == "indexed"]
        with self._lock:
            self._lists[key] = paths
            while len(self._lists) > self._keep:
                self._lists.popitem(last=False)
        return paths


def find_files(access: Access, lists: PathLists, wanted: str) -> list[DocumentRow]:
    """Exact path, then ends of paths, then paths that contain it, short ones first."""
    needle = folded(wanted.strip("/").removeprefix("./")).lower()
    found: list[tuple[int, int, str, DocumentRow]] = []
    for index, snapshot in enumerate(access.scope):
        ranked = sorted((r, len(p), p) for low, p in lists.of(snapshot) if (r := _rank(low, needle)) is not None)
        admitted = [entry for entry in ranked if access.may_read(index, entry[2])][:MAX_FILES]
        for rank, length, path in admitted:
            for row in access.reader.document_at((snapshot,), path):
                moved = DocumentRow(index, row.document_id, row.path, row.language, row.generated, row.blob)
                if access.admits(moved):
                    found.append((rank, length, path, moved))
    found.sort(key=lambda entry: (entry[0], entry[1], entry[3].snapshot, entry[2]))
    return [entry[3] for entry in found[:MAX_FILES]]


def _rank(path: str, needle: str) -> int | None:
    if path == needle:
        return 0
    if path.endswith("/" + needle):
        return 1
    return 2 if needle in path else None
