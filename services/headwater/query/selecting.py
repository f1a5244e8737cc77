"""Lists what a question selects, grants first."""

from functools import partial

from headwater.domain.selection import SelectedFile, Selection
from headwater.query.access import Access
from headwater.stores.index_reader import DocumentRow

TEXTS_AT_ONCE, LOOKED_AT = 64, 512


def select_files(access: Access) -> Selection:
    """Every indexed file that the caller may read and the question's filters take, in (view, path) order."""
    views = access.as_of()
    rows = [row for row in access.reader.documents_containing(access.scope, ()) if access.admits(row)]
    rows.sort(key=lambda row: (row.snapshot, row.path))
    texts = _Texts(access, rows)
    files = [
        SelectedFile(views[r.snapshot], r.path, r.language, r.blob, partial(texts.of, n)) for n, r in enumerate(rows)
    ]
    return Selection(views, tuple(files), access.whole)


class _Texts:
    """Reads ahead: files are mostly read in their order."""

    def __init__(self, access: Access, rows: list[DocumentRow]) -> None:
        self._access, self._rows = access, rows

    def of(self, number: int) -> bytes | None:
        row = self._rows[number]
        if self._access.held(row) is None:
            following = self._rows[number : number + LOOKED_AT]
            self._access.prepare([r for r in following if r.language == row.language][:TEXTS_AT_ONCE])
        return self._access.text(row)
