"""Takes damaged rows back: their documents are pending again, as though they had never come, and are made from git."""

from collections.abc import Collection, Sequence

from headwater.stores.relational import codec
from headwater.stores.relational.database import Database, Row, Session
from headwater.stores.relational.document_rows import BLOCK_BITS
from headwater.stores.relational.ids import in_batches

_DEPENDENTS = "SELECT id FROM documents WHERE base IN @ints"
_TEXT_DEPENDENTS = "SELECT id FROM texts WHERE base IN @ints"
_HOLDERS = "SELECT DISTINCT document FROM chunks WHERE content IN @ints"
_SHARERS = "SELECT id FROM documents WHERE text IN @ints"
_PATHS = "SELECT path FROM documents WHERE id IN @ints"


def take_back(
    database: Database, session: Session, documents: Collection[int], contents: Collection[int], texts: Collection[int]
) -> list[str]:
    """The paths of all documents that are pending afterwards: with these, those that share rows with them."""
    leaving, gone, lost = set(documents), set(contents), set(texts)
    while True:
        before = len(leaving) + len(gone) + len(lost)
        leaving |= _ids(session, _HOLDERS, gone) | _ids(session, _SHARERS, lost) | _ids(session, _DEPENDENTS, leaving)
        lost |= _ids(session, _TEXT_DEPENDENTS, lost)
        if len(leaving) + len(gone) + len(lost) == before:
            break
    _drop(database, session, sorted(leaving), sorted(gone), sorted(lost))
    return sorted({path for (path,) in _rows(session, _PATHS, sorted(leaving))})


def _drop(database: Database, session: Session, leaving: list[int], gone: list[int], lost: list[int]) -> None:
    for batch in in_batches(leaving):
        for table in ("symbols", "usages", "chunks", "bodies"):
            session.run(f"DELETE FROM {table} WHERE document IN @ints", batch)
        for i in batch:
            session.run("DELETE FROM usage_blocks WHERE id >= ? AND id < ?", i << BLOCK_BITS, (i + 1) << BLOCK_BITS)
        session.run(f"UPDATE documents SET status = {codec.PENDING}, text = NULL WHERE id IN @ints", batch)
    for batch in in_batches(gone):  # made again they have other ids: postings of these find nothing any more
        session.run("DELETE FROM contents WHERE id IN @ints", batch)
    session.run("UPDATE counters SET value = value + ? WHERE name = 'dead_contents'", len(gone))
    for batch in in_batches(lost):
        session.run("DELETE FROM texts WHERE id IN @ints", batch)
    database.texts.remove(session, lost)
    database.terms.drop_malformed(session)
    session.run("UPDATE counters SET value = value + 1 WHERE name = 'revision'")
    session.run("UPDATE views SET vectors_at = 0")


def _ids(session: Session, sql: str, ids: Collection[int]) -> set[int]:
    return {i for (i,) in _rows(session, sql, sorted(ids))}


def _rows(session: Session, sql: str, ids: Sequence[int]) -> list[Row]:
    return [row for batch in in_batches(ids) for row in session.rows(sql, batch)]
