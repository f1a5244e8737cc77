"""Lists what a question selects, grants first."""

from functools import partial

from headwater.domain.selection import SelectedFile, Selection
from headwater.query.access import Access
from headwater.stores.index_reader import DocumentRow, TextNotStoredError


def select_files(access: Access) -> Selection:
    """Every indexed file that the caller may read and the question's filters take, in (view, path) order."""
    views = access.as_of()
    rows = [row for row in access.reader.documents_containing(access.scope, ()) if access.admits(row)]
    rows.sort(key=lambda row: (row.snapshot, row.path))
    files = [SelectedFile(views[r.snapshot], r.path, r.language, r.blob, partial(_read, access, r)) for r in rows]
    return Selection(views, tuple(files), access.whole)


def _read(access: Access, row: DocumentRow) -> bytes | None:
    try:
        return access.documents.text(row)
    except TextNotStoredError:
        return None
