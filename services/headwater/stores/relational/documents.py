"""Writing documents: which rows are new, and inserting them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from headwater.domain.document import Document, Status
from headwater.stores.catalog import DocumentWrite
from headwater.stores.relational import codec, postings
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.document_rows import BLOCK_BITS, ChunkEntry, DocumentRows, document_rows
from headwater.stores.relational.ids import allocate, in_batches

WARNING_SEPARATOR = "\n"

_PUT = """
INSERT INTO documents(
  id, key, path, blob, mode, status, reason, language, generated, size, lines, chunks, warnings, text)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(id) DO UPDATE SET status = excluded.status, reason = excluded.reason, language = excluded.language,
  generated = excluded.generated, size = excluded.size, lines = excluded.lines, chunks = excluded.chunks,
  warnings = excluded.warnings, text = excluded.text"""


def known(session: Session, keys: Sequence[str]) -> set[str]:
    """See `Catalog.known`."""
    found: set[str] = set()
    for batch in in_batches(keys):
        rows = session.rows(
            "SELECT lower(hex(key)) FROM documents WHERE key IN @hexes AND status IN (?, ?)",
            batch,
            codec.INDEXED,
            codec.SKIPPED,
        )
        found.update(key for (key,) in rows)
    return found


def put_documents(database: Database, session: Session, writes: Sequence[DocumentWrite], store_text: bool) -> None:
    """A document that is there stays as it is; a pending or parked one is replaced."""
    ids, fresh, replaces = _targets(session, writes)
    if not fresh:
        return
    rows = [document_rows(write, store_text) for write in fresh]
    names = _name_ids(session, {n for r in rows for n in _names(r)})
    contents = _content_ids(session, rows)
    texts = _put_texts(database, session, rows)
    targets = [(ids[r.document.key], r) for r in rows]
    session.run_many(_PUT, [_document_row(i, r, texts) for i, r in targets])
    session.run_many(
        "INSERT INTO bodies(document, head, split, symbols, chunks) VALUES(?, ?, ?, ?, ?)"
        " ON CONFLICT(document) DO UPDATE SET head = excluded.head, split = excluded.split,"
        " symbols = excluded.symbols, chunks = excluded.chunks",
        [(i, r.head, int(r.split), r.symbols_body, r.chunks_body) for i, r in targets],
    )
    session.run_many(
        "INSERT INTO chunks(document, ordinal, content) VALUES(?, ?, ?)",
        [(i, n, contents[c.content_hash]) for i, r in targets for n, c in enumerate(r.chunks)],
    )
    session.run_many(
        "INSERT INTO symbols(name, document, ordinal, line) VALUES(?, ?, ?, ?)",
        sorted((names[s.name], i, s.ordinal, s.line) for i, r in targets for s in r.symbols),
    )
    session.run_many(
        "INSERT INTO usages(name, document, block, imported) VALUES(?, ?, ?, ?)",
        sorted((names[u.name], i, u.block, int(u.imported)) for i, r in targets for u in r.usages),
    )
    session.run_many(
        "INSERT INTO usage_blocks(id, data) VALUES(?, ?)",
        [((i << BLOCK_BITS) | n, block) for i, r in targets for n, block in enumerate(r.usage_blocks)],
    )
    defined = {s.name for r in rows for s in r.symbols}
    database.names.add(session, [(names[name], name) for name in sorted(defined)])
    if replaces:  # published generations change: nothing derived from them may be kept
        session.run("UPDATE counters SET value = value + 1 WHERE name = 'revision'")
        session.run("UPDATE views SET vectors_at = 0")


def _targets(session: Session, writes: Sequence[DocumentWrite]) -> tuple[dict[str, int], list[DocumentWrite], bool]:
    """Ids by key, the writes to carry out (the last of each key), and whether a parked document is among them."""
    wanted = {w.document.key: w for w in writes}
    known_rows: dict[str, tuple[int, int]] = {}
    for batch in in_batches(list(wanted)):
        rows = session.rows("SELECT lower(hex(key)), id, status FROM documents WHERE key IN @hexes", batch)
        known_rows.update((key, (i, status)) for key, i, status in rows)
    absent = [key for key in wanted if key not in known_rows]
    ids = dict(zip(absent, allocate(session, "documents", len(absent)), strict=True))
    session.run_many("INSERT INTO loose(kind, id) VALUES('document', ?)", [(i,) for i in ids.values()])
    fresh = [wanted[key] for key in absent]
    replaces = False
    for key, (i, status) in known_rows.items():
        ids[key] = i
        if status == codec.PENDING or status == codec.PARKED:
            fresh.append(wanted[key])
            replaces = replaces or status == codec.PARKED
    return ids, fresh, replaces


def _names(rows: DocumentRows) -> Iterable[str]:
    yield from (s.name for s in rows.symbols)
    yield from (u.name for u in rows.usages)


def _name_ids(session: Session, names: set[str]) -> dict[str, int]:
    ordered = sorted(names)
    found: dict[str, int] = {}
    for batch in in_batches(ordered):
        found.update(session.rows("SELECT name, id FROM names WHERE name IN @texts", batch))
    fresh = [name for name in ordered if name not in found]
    ids = allocate(session, "names", len(fresh))
    session.run_many("INSERT INTO names(id, name) VALUES(?, ?)", zip(ids, fresh, strict=True))
    found.update(zip(fresh, ids, strict=True))
    return found


def _content_ids(session: Session, rows: Sequence[DocumentRows]) -> dict[str, int]:
    """Ids by content hash; contents not indexed before get their postings."""
    entries = {c.content_hash: c for r in rows for c in r.chunks}
    found: dict[str, int] = {}
    unindexed: list[tuple[int, ChunkEntry]] = []
    for batch in in_batches(list(entries)):
        for key, i, length in session.rows(
            "SELECT lower(hex(hash)), id, length FROM contents WHERE hash IN @hexes", batch
        ):
            found[key] = i
            if length is None:
                unindexed.append((i, entries[key]))
    absent = [key for key in entries if key not in found]
    ids = allocate(session, "contents", len(absent))
    session.run_many(
        "INSERT INTO contents(id, hash) VALUES(?, ?)",
        [(i, bytes.fromhex(key)) for i, key in zip(ids, absent, strict=True)],
    )
    found.update(zip(absent, ids, strict=True))
    unindexed.extend((i, entries[key]) for i, key in zip(ids, absent, strict=True))
    _index_contents(session, unindexed)
    return found


def _index_contents(session: Session, contents: Sequence[tuple[int, ChunkEntry]]) -> None:
    session.run_many(
        "UPDATE contents SET length = ? WHERE id = ?",
        [(max(1, sum(entry.terms.values())), i) for i, entry in contents],
    )
    by_term: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, entry in sorted(contents, key=lambda c: c[0]):
        for term, frequency in entry.terms.items():
            by_term[term].append((i, frequency))
    tails = _tails(session, sorted(by_term))
    blocks: list[tuple[str, int, bytes]] = []
    for term in sorted(by_term):
        number, block = tails.get(term, (0, b""))
        block = postings.append(block, postings.pack(by_term[term]))
        while block:
            head, block = postings.split(block, postings.BLOCK_POSTINGS)
            blocks.append((term, number, head))
            number += 1
    session.run_many(
        "INSERT INTO postings(term, block, data) VALUES(?, ?, ?)"
        " ON CONFLICT(term, block) DO UPDATE SET data = excluded.data",
        blocks,
    )


def _tails(session: Session, terms: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """The last block of each term, to append to."""
    tails: dict[str, tuple[int, bytes]] = {}
    for batch in in_batches(terms):
        rows = session.rows(
            "SELECT p.term, p.block, p.data FROM postings p WHERE p.term IN @texts"
            " AND p.block = (SELECT max(q.block) FROM postings q WHERE q.term = p.term)",
            batch,
        )
        tails.update((term, (block, data)) for term, block, data in rows)
    return tails


def _put_texts(database: Database, session: Session, rows: Sequence[DocumentRows]) -> dict[bytes, int]:
    texts = {r.text.hash: r.text.text for r in rows if r.text is not None}
    found: dict[bytes, int] = {}
    for batch in in_batches([key.hex() for key in texts]):
        found.update(session.rows("SELECT hash, id FROM texts WHERE hash IN @hexes", batch))
    fresh = [key for key in texts if key not in found]
    ids = allocate(session, "texts", len(fresh))
    session.run_many(
        "INSERT INTO texts(id, hash, body) VALUES(?, ?, ?)",
        [(i, key, codec.compress(texts[key].encode("utf-8"))) for i, key in zip(ids, fresh, strict=True)],
    )
    database.texts.add(session, [(i, texts[key]) for i, key in zip(ids, fresh, strict=True)])
    found.update(zip(fresh, ids, strict=True))
    return found


def _document_row(i: int, rows: DocumentRows, texts: dict[bytes, int]) -> tuple[object, ...]:
    document: Document = rows.document
    return (
        i,
        bytes.fromhex(document.key),
        document.path,
        bytes.fromhex(document.blob),
        document.mode,
        codec.STATUS_CODES[Status(document.status)],
        document.reason,
        document.facts.language,
        int(document.generated),
        document.size,
        document.lines,
        len(document.chunks),
        WARNING_SEPARATOR.join(document.warnings),
        texts[rows.text.hash] if rows.text is not None else None,
    )
