"""Entries, documents and texts as a scope shows them."""

import hashlib
from collections.abc import Sequence
from typing import Any

from headwater.domain.document import Document
from headwater.stores.catalog import CatalogCorruptError, CatalogUnavailableError
from headwater.stores.index_reader import DocumentRow, FileRow, Scope, TextNotStoredError
from headwater.stores.relational import codec
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.deltas import decompressed, with_dependents
from headwater.stores.relational.documents import WARNING_SEPARATOR
from headwater.stores.relational.ids import in_batches
from headwater.stores.relational.layers import UNMASKED, scope_param
from headwater.stores.relational.rows import DOCUMENT, SHOWN, Bodies, document_row

# the plus keeps the planner on the index of places
_VISIBLE = f"e.view = s.view AND +e.from_generation <= s.generation AND e.to_generation > s.generation AND {UNMASKED}"
_FILE = """
SELECT s.i, d.path, e.mode, lower(hex(e.oid)), d.status, d.reason, d.language, d.size, d.lines, d.chunks, d.warnings
"""
_ALL_FILES = f"{_FILE} FROM @scope s CROSS JOIN entries e JOIN documents d ON d.id = e.document WHERE {_VISIBLE}"
_FILES_BELOW = f"""{_FILE}
FROM @scope s CROSS JOIN directories r CROSS JOIN entries e JOIN documents d ON d.id = e.document
WHERE e.directory = r.id AND {_VISIBLE} AND (r.path = ? OR (r.path >= ? AND r.path < ?))"""
_FILE_AT = f"""{_FILE}
FROM @scope s CROSS JOIN directories r CROSS JOIN entries e JOIN documents d ON d.id = e.document
WHERE e.directory = r.id AND e.name = ? AND {_VISIBLE} AND r.path = ?"""
_DOCUMENT_AT = f"""
SELECT {DOCUMENT} FROM @scope s CROSS JOIN directories r CROSS JOIN entries e JOIN documents d ON d.id = e.document
WHERE e.directory = r.id AND e.name = ? AND {_VISIBLE} AND r.path = ? AND d.status = {codec.INDEXED} ORDER BY s.i"""
_FOLDERS_NAMED = f"""
SELECT DISTINCT r.path FROM @scope s CROSS JOIN directories r CROSS JOIN entries e
WHERE e.directory = r.id AND r.name = ? AND e.name = ? AND {_VISIBLE}"""
_INDEXED = f"""
SELECT {DOCUMENT} FROM @scope s CROSS JOIN entries e JOIN documents d ON d.id = e.document
WHERE {_VISIBLE} AND d.status = {codec.INDEXED}"""
_WITH_TEXT = f"""
SELECT {DOCUMENT} FROM documents t {SHOWN.format("t.id")} AND t.text IN @ints AND d.status = {codec.INDEXED}"""
_PARKED = f"""
SELECT s.i, d.path FROM documents d CROSS JOIN entries e CROSS JOIN @scope s
WHERE d.status = {codec.PARKED} AND e.document = d.id AND {_VISIBLE} ORDER BY d.id, e.directory, s.i LIMIT ?"""
_TEXTS = "SELECT id, body FROM texts WHERE id IN @ints"
_HAS_DEPENDENTS = "SELECT 1 FROM texts WHERE base IS NOT NULL LIMIT 1"
_HAS_TEXTS = "SELECT 1 FROM texts LIMIT 1"


def files(session: Session, scope: Scope, path: str) -> list[FileRow]:
    """Entries in (snapshot, path) order."""
    pins = scope_param(scope)
    if not path:
        rows = session.rows(_ALL_FILES, pins)
    else:
        directory, _, name = path.rpartition("/")
        rows = session.rows(_FILE_AT, pins, name, directory)
        rows += session.rows(_FILES_BELOW, pins, path, f"{path}/", f"{path}0")  # "0" follows "/"
    return sorted((_file_row(row) for row in rows), key=lambda f: (f.snapshot, f.path))


def document_at(session: Session, scope: Scope, path: str) -> list[DocumentRow]:
    directory, _, name = path.rpartition("/")
    return [document_row(row) for row in session.rows(_DOCUMENT_AT, scope_param(scope), name, directory)]


def parked(session: Session, scope: Scope, limit: int) -> list[tuple[int, str]]:
    return [(i, path) for i, path in session.rows(_PARKED, scope_param(scope), limit)]


def folders_named(session: Session, scope: Scope, name: str, holding: str) -> list[str]:
    return sorted(path for (path,) in session.rows(_FOLDERS_NAMED, scope_param(scope), name, holding))


def documents_containing(
    database: Database, session: Session, scope: Scope, literals: Sequence[str]
) -> list[DocumentRow]:
    candidates = _candidates(database, session, literals) if session.rows(_HAS_TEXTS) else None
    pins = scope_param(scope)
    if candidates is None:
        rows = session.rows(_INDEXED, pins)
    else:
        rows = [row for batch in in_batches(candidates) for row in session.rows(_WITH_TEXT, pins, batch)]
    return sorted((document_row(row) for row in rows), key=lambda d: (d.snapshot, d.path))


def _candidates(database: Database, session: Session, literals: Sequence[str]) -> Sequence[int] | None:
    """Texts that may hold every literal. A text of a branch has a literal's lines itself or in its former version."""
    if not session.rows(_HAS_DEPENDENTS):
        return database.texts.candidates(session, literals)
    found: set[int] | None = None
    for line in dict.fromkeys(line for literal in literals for line in literal.split("\n")):
        texts = database.texts.candidates(session, [line])
        if texts is not None:
            held = with_dependents(session, texts)
            found = held if found is None else found & held
    return None if found is None else sorted(found)


def text(session: Session, document_id: int) -> str:
    rows = session.rows(
        "SELECT t.id, t.body, t.hash FROM documents d JOIN texts t ON t.id = d.text WHERE d.id = ?", document_id
    )
    if not rows:
        raise TextNotStoredError(f"the catalog holds no text of document {document_id}: read it from the git host")
    ((text_id, body, digest),) = rows
    raw = decompressed(session, _TEXTS, [(text_id, body)])[text_id]
    if hashlib.blake2b(raw, digest_size=16).digest() != digest:
        raise CatalogCorruptError(f"the stored text of document {document_id} is another's: run 'headwater verify'")
    return raw.decode("utf-8")


def document(session: Session, bodies: Bodies, document_id: int) -> Document:
    found = bodies.document(session, document_id)
    if found is None:
        raise CatalogUnavailableError(f"document {document_id} is gone: pin the view again")
    return found


def _file_row(row: Sequence[Any]) -> FileRow:
    snapshot, path, mode, blob, status, reason, language, size, lines, chunks, warnings = row
    return FileRow(
        snapshot=snapshot,
        path=path,
        mode=mode,
        blob=blob,
        status=codec.STATUS_NAMES[status],
        reason=reason,
        language=language,
        size=size,
        lines=lines,
        chunks=chunks,
        warnings=tuple(warnings.split(WARNING_SEPARATOR)) if warnings else (),
    )
