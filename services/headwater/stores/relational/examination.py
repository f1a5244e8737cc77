"""Examines stored documents row by row: what one of them should have in each table follows from itself and its text."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from headwater.domain.document import Document, Status
from headwater.stores.catalog import CatalogCorruptError, Damage, DocumentWrite
from headwater.stores.relational import codec
from headwater.stores.relational.database import Session
from headwater.stores.relational.deltas import decompressed
from headwater.stores.relational.document_rows import DocumentRows, document_rows
from headwater.stores.relational.rows import Bodies

AT_ONCE = 256
_DOCUMENTS = f"""
SELECT d.id, lower(hex(d.key)), d.path, lower(hex(d.blob)), d.mode, d.status, d.reason, d.language, d.generated, d.size,
  d.lines, d.chunks, d.text FROM documents d WHERE d.id > ? AND d.status <> {codec.PENDING} ORDER BY d.id LIMIT ?"""
_TEXT = "SELECT id, body FROM texts WHERE id IN @ints"
_HASH = "SELECT lower(hex(hash)) FROM texts WHERE id = ?"
_SYMBOLS = """
SELECT y.document, coalesce(n.name, ''), y.ordinal, y.line FROM symbols y LEFT JOIN names n ON n.id = y.name
WHERE y.document IN @ints"""
_USAGES = """
SELECT u.document, coalesce(n.name, ''), u.block, u.imported FROM usages u LEFT JOIN names n ON n.id = u.name
WHERE u.document IN @ints"""
_CHUNKS = """
SELECT k.document, k.ordinal, coalesce(lower(hex(c.hash)), ''), coalesce(c.length, 0) FROM chunks k
LEFT JOIN contents c ON c.id = k.content WHERE k.document IN @ints"""
_CONTENTS = "SELECT ordinal, content FROM chunks WHERE document = ?"

By = dict[int, set[tuple[Any, ...]]]


class Examined(msgspec.Struct, frozen=True):
    """One sound document; `terms` are those of each content id, unless its text isn't stored."""

    document_id: int
    text_id: int | None
    rows: DocumentRows
    contents: tuple[int, ...]


def examine(
    session: Session, after: int, limit: int, store_text: bool, term_key: str
) -> tuple[list[Examined], list[Damage], int]:
    """The next `limit` documents by id: the sound ones, what is wrong with the others, and the last id (0: the end)."""
    documents = session.rows(_DOCUMENTS, after, limit)
    ids = [row[0] for row in documents]
    tables = [_by_document(session, sql, ids) for sql in (_SYMBOLS, _USAGES, _CHUNKS)]
    sound: list[Examined] = []
    damages: list[Damage] = []
    for row in documents:
        table, rows = _wrong(session, row, [t[row[0]] for t in tables], store_text, term_key)
        if table:
            damages.append(Damage(table, row[0], row[2]))
        elif rows is not None:
            sound.append(Examined(row[0], row[12], rows, tuple(c for _, c in sorted(session.rows(_CONTENTS, row[0])))))
    return sound, damages, ids[-1] if len(ids) == limit else 0


def _wrong(
    session: Session, row: Sequence[Any], held: Sequence[set[tuple[Any, ...]]], store_text: bool, term_key: str
) -> tuple[str, DocumentRows | None]:
    """The first table that isn't as it should be, "" for none; and what all should hold."""
    document_id, *columns, text_id = row
    try:
        document = Bodies(capacity=0).document(session, document_id)
    except (CatalogCorruptError, KeyError, IndexError):
        return "bodies", None
    if document is None:
        return "bodies", None
    if tuple(columns) != _columns(document):
        return "documents", None
    text = None
    if store_text and document.status is Status.INDEXED:
        text = _sound_text(session, document, text_id)
        if text is None:
            return "texts", None
    rows = document_rows(DocumentWrite(document, text), store_text, term_key)
    return next(_differing(rows, held, text is not None), ""), rows


def _columns(document: Document) -> tuple[Any, ...]:
    status = codec.STATUS_CODES[Status(document.status)]
    facts, chunks = document.facts, len(document.chunks)
    return (
        *(document.key, document.path, document.blob, document.mode, status, document.reason, facts.language),
        *(int(document.generated), document.size, document.lines, chunks),
    )


def _sound_text(session: Session, document: Document, text_id: int | None) -> str | None:
    """None unless it is stored, has its hash and is that of the document's blob, where its own bytes were kept."""
    try:
        raw = decompressed(session, _TEXT, session.rows(_TEXT, [text_id])).get(text_id) if text_id else None
        if raw is None or hashlib.blake2b(raw, digest_size=16).hexdigest() != session.rows(_HASH, text_id)[0][0]:
            return None
        text = raw.decode("utf-8")
    except (CatalogCorruptError, UnicodeDecodeError):
        return None
    if document.encoding == "utf-8" and len(raw) == document.size:
        git = hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
        return text if git == document.blob or len(document.blob) != len(git) else None
    return text


def _differing(rows: DocumentRows, held: Sequence[set[tuple[Any, ...]]], with_terms: bool) -> Iterator[str]:
    symbols, usages, chunks = held
    if symbols != {(s.name, s.ordinal, s.line) for s in rows.symbols}:
        yield "symbols"
    if usages != {(u.name, u.block, int(u.imported)) for u in rows.usages}:
        yield "usages"
    if {c[:2] for c in chunks} != {(n, c.content_hash) for n, c in enumerate(rows.chunks)}:
        yield "chunks"
    lengths = {(n, max(1, sum(c.terms.values()))) for n, c in enumerate(rows.chunks)}
    if with_terms and {(n, length) for n, _, length in chunks} != lengths:
        yield "contents"


def _by_document(session: Session, sql: str, ids: Sequence[int]) -> By:
    found: By = defaultdict(set)
    for document, *rest in session.rows(sql, list(ids)):
        found[document].add(tuple(rest))
    return found
