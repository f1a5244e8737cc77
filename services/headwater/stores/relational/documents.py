"""Writing documents: which rows are new, and inserting them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from headwater.domain.document import Document, Status
from headwater.stores.catalog import DocumentWrite
from headwater.stores.relational import codec, deltas, postings
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.document_rows import BLOCK_BITS, ChunkEntry, DocumentRows, document_rows
from headwater.stores.relational.ids import ensured, in_batches
from headwater.stores.relational.manifest import pending_documents

WARNING_SEPARATOR = "\n"

_COLUMNS = "id, key, path, blob, mode, status, reason, language, generated, size, lines, chunks, warnings, text"
_REPLACE = "ON CONFLICT(id) DO UPDATE SET " + ", ".join(
    f"{c} = excluded.{c}" for c in _COLUMNS.split(", ") if c not in ("id", "key", "path", "blob", "mode")
)
_LENGTHS = "SELECT lower(hex(hash)), id, length FROM contents WHERE hash IN @hexes ORDER BY hash @locked"
_STATES = "SELECT lower(hex(key)), id, status FROM documents WHERE key IN @hexes ORDER BY key @locked"


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


def put_documents(
    database: Database, session: Session, writes: Sequence[DocumentWrite], store_text: bool, term_key: str = ""
) -> None:
    """A document that is there stays as it is; a pending or parked one is replaced."""
    ids, fresh, parked = _targets(session, writes)
    if not fresh:
        return
    rows = [document_rows(write, store_text, term_key) for write in fresh]
    targets = _against_formers(session, sorted(((ids[r.document.key], r) for r in rows), key=lambda t: t[0]))
    names = _name_ids(session, {n for r in rows for n in _names(r)})
    contents = _content_ids(database, session, rows)
    texts = _put_texts(database, session, [r for _, r in targets])
    session.insert("documents", _COLUMNS, [_document_row(i, r, texts) for i, r in targets], _REPLACE)
    session.run("DELETE FROM bodies WHERE document IN @ints", parked)
    session.insert(
        "bodies",
        "document, head, split, symbols, chunks",
        [(i, r.head, int(r.split), r.symbols_body, r.chunks_body) for i, r in targets],
    )
    session.insert(
        "chunks",
        "document, ordinal, content",
        [(i, n, contents[c.content_hash]) for i, r in targets for n, c in enumerate(r.chunks)],
    )
    _put_names(database, session, targets, names)
    if parked:  # published generations change: nothing derived from them may be kept
        session.run("UPDATE counters SET value = value + 1 WHERE name = 'revision'")
        session.run("UPDATE views SET vectors_at = 0")


def _against_formers(session: Session, targets: Sequence[tuple[int, DocumentRows]]) -> list[tuple[int, DocumentRows]]:
    """The rows as they are stored: against what a branch lies over, where that is there and worth it."""
    formers = deltas.formers(session, [i for i, _ in targets])
    smaller = {i: made for i, r in targets if i in formers and (made := deltas.against(r, formers[i])) is not None}
    whole = [i for i, _ in targets if i not in smaller]
    session.run("UPDATE documents SET base = NULL WHERE id IN @ints AND base IS NOT NULL", whole)
    return [(i, smaller.get(i, r)) for i, r in targets]


def _put_names(
    database: Database, session: Session, targets: Sequence[tuple[int, DocumentRows]], names: dict[str, int]
) -> None:
    session.insert(
        "symbols",
        "name, document, ordinal, line",
        sorted((names[s.name], i, s.ordinal, s.line) for i, r in targets for s in r.symbols),
    )
    session.insert(
        "usages",
        "name, document, block, imported",
        sorted((names[u.name], i, u.block, int(u.imported)) for i, r in targets for u in r.usages),
    )
    session.insert(
        "usage_blocks",
        "id, data",
        [((i << BLOCK_BITS) | n, block) for i, r in targets for n, block in enumerate(r.usage_blocks)],
    )
    defined = {s.name for _, r in targets for s in r.symbols}
    database.names.add(session, sorted((names[name], name) for name in defined))


def _targets(
    session: Session, writes: Sequence[DocumentWrite]
) -> tuple[dict[str, int], list[DocumentWrite], list[int]]:
    """Ids by key, the writes to carry out (the last of each key), and the ids of parked documents among them.

    The documents are locked: another writer of one of them waits, and then finds it there.
    """
    wanted = {w.document.key: w for w in writes}
    ids, absent = pending_documents(
        session, {key: (w.document.path, w.document.blob, w.document.mode) for key, w in wanted.items()}
    )
    session.insert("loose", "kind, id", [("document", ids[key]) for key in absent], "ON CONFLICT DO NOTHING")
    fresh, parked = [], []
    for batch in in_batches(sorted(wanted)):
        for key, i, status in session.rows(_STATES, batch):
            if status in (codec.PENDING, codec.PARKED):
                fresh.append(wanted[key])
            if status == codec.PARKED:
                parked.append(i)
    return ids, fresh, parked


def _names(rows: DocumentRows) -> Iterable[str]:
    yield from (s.name for s in rows.symbols)
    yield from (u.name for u in rows.usages)


def _name_ids(session: Session, names: set[str]) -> dict[str, int]:
    def insert(absent: list[str]) -> None:
        session.insert("names", "name", [(name,) for name in absent], "ON CONFLICT DO NOTHING")

    return ensured(session, "SELECT name, id FROM names WHERE name IN @texts", names, insert)[0]


def _content_ids(database: Database, session: Session, rows: Sequence[DocumentRows]) -> dict[str, int]:
    """Ids by content hash; contents not indexed before get their postings."""
    entries = {c.content_hash: c for r in rows for c in r.chunks}

    def insert(absent: list[str]) -> None:
        session.insert("contents", "hash", [(bytes.fromhex(key),) for key in absent], "ON CONFLICT DO NOTHING")

    found, _ = ensured(
        session, "SELECT lower(hex(hash)), id FROM contents WHERE hash IN @hexes", entries.keys(), insert
    )
    unindexed = [
        (i, entries[key])
        for batch in in_batches(sorted(entries))
        for key, i, length in session.rows(_LENGTHS, batch)
        if length is None
    ]
    _index_contents(database, session, unindexed)
    return found


def _index_contents(database: Database, session: Session, contents: Sequence[tuple[int, ChunkEntry]]) -> None:
    session.run_many(
        "UPDATE contents SET length = ? WHERE id = ?",
        [(max(1, sum(entry.terms.values())), i) for i, entry in contents],
    )
    by_term: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, entry in sorted(contents, key=lambda c: c[0]):
        for term, frequency in entry.terms.items():
            by_term[term].append((i, frequency))
    database.terms.add(session, {term: postings.pack(by_term[term]) for term in sorted(by_term)})


def _put_texts(database: Database, session: Session, rows: Sequence[DocumentRows]) -> dict[bytes, int]:
    texts = {r.text.hash.hex(): r.text.text for r in rows if r.text is not None}
    bases = {r.text.hash.hex(): r.text_base for r in rows if r.text is not None}

    def insert(absent: list[str]) -> None:
        bodies = [(bytes.fromhex(key), *_text_row(texts[key].encode("utf-8"), bases[key])) for key in absent]
        session.insert("texts", "hash, body, base", bodies, "ON CONFLICT DO NOTHING")

    found, fresh = ensured(session, "SELECT lower(hex(hash)), id FROM texts WHERE hash IN @hexes", texts.keys(), insert)
    database.texts.add(session, sorted((found[key], _found_by(texts[key], bases[key])) for key in fresh))
    return {bytes.fromhex(key): i for key, i in found.items()}


def _text_row(raw: bytes, base: tuple[int, bytes] | None) -> tuple[bytes, int | None]:
    """Body and base."""
    return (codec.compress(raw), None) if base is None else (codec.compress_against(raw, *base), base[0])


def _found_by(text: str, base: tuple[int, bytes] | None) -> str:
    return text if base is None else deltas.new_lines(text.encode("utf-8"), base[1])


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
