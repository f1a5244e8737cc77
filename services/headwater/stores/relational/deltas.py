"""A branch's version of a file is stored as what differs from its base's version of it, a fifth of the bytes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from headwater.stores.relational import codec
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.document_rows import BLOCK_BITS, DocumentRows
from headwater.stores.relational.ids import in_batches

_FEW = 1_000
WORTH = 0.5  # of the bytes: what saves less is stored whole
_FORMER = f"""
SELECT d.id, b.document, b.head, b.symbols, b.chunks, t.id, t.body
FROM documents d JOIN documents f ON f.id = d.base JOIN bodies b ON b.document = f.id
LEFT JOIN texts t ON t.id = f.text AND t.base IS NULL
WHERE d.id IN @ints AND f.base IS NULL AND f.status = {codec.INDEXED}"""
_BLOCKS = f"""
SELECT d.id, u.id, u.data FROM documents d CROSS JOIN usage_blocks u
WHERE d.id IN @ints AND u.id >= d.id * {1 << BLOCK_BITS} AND u.id < (d.id + 1) * {1 << BLOCK_BITS} ORDER BY u.id"""
_PARTS = "SELECT document, head, symbols, chunks FROM bodies WHERE document IN @ints"
_TEXTS = "SELECT id, body FROM texts WHERE id IN @ints"
_RAW_BLOCKS = "SELECT id, data FROM usage_blocks WHERE id IN @ints"

Stored = tuple[int, bytes]  # the id of a row and its bytes, not compressed


class Former(msgspec.Struct, frozen=True):
    """A document that is stored whole, for others to be stored against."""

    head: Stored
    symbols: Stored
    chunks: Stored
    blocks: tuple[Stored, ...]
    text: Stored | None


def formers(session: Session, documents: Sequence[int]) -> dict[int, Former]:
    """What documents may be stored against, by document."""
    found: dict[int, Former] = {}
    for batch in in_batches(documents):
        rows = session.rows(_FORMER, batch)
        blocks = _blocks(session, {former for _, former, *_ in rows})
        for document, former, head, symbols, chunks, text, body in rows:
            found[document] = Former(
                (former, codec.decompress(head)),
                (former, codec.decompress(symbols)),
                (former, codec.decompress(chunks)),
                tuple((i, codec.decompress(data)) for i, data in blocks[former]),
                (text, codec.decompress(body)) if body is not None else None,
            )
    return found


def against(rows: DocumentRows, former: Former) -> DocumentRows | None:
    """The same rows stored against the former version's; None where that is not worth it."""
    blocks = (
        _against(block, former.blocks[n]) if n < len(former.blocks) else block
        for n, block in enumerate(rows.usage_blocks)
    )
    made = msgspec.structs.replace(
        rows,
        head=_against(rows.head, former.head),
        symbols_body=_against(rows.symbols_body, former.symbols),
        chunks_body=_against(rows.chunks_body, former.chunks),
        usage_blocks=tuple(blocks),
        text_base=former.text,
    )
    return made if _bytes(made) <= WORTH * _bytes(rows) else None


def decompressed(session: Session, select: str, rows: Iterable[tuple[int, bytes]]) -> dict[int, bytes]:
    """Raw bytes by id. `select` gives (id, body) of the rows that some of these are stored against."""
    kept = list(rows)
    wanted = sorted({base for _, body in kept if (base := codec.base_of(body)) is not None})
    bases: dict[int | None, bytes] = {}
    for batch in in_batches(wanted):
        bases.update((i, codec.decompress(body)) for i, body in session.rows(select, batch))
    return {i: codec.decompress(body, bases.get(codec.base_of(body))) for i, body in kept}


def leave_documents(session: Session, leaving: Collection[int]) -> list[int]:
    """The ids in an order in which they can be dropped: what is stored against others first.

    What stays and is stored against one that leaves is stored whole from now on.
    """
    against_others = _based(session, "SELECT id, id FROM documents WHERE id IN @ints AND base IS NOT NULL", leaving)
    dependents = _based(session, "SELECT id, base FROM documents WHERE base IN @ints", leaving)
    for batch in in_batches(sorted(dependents.keys() - set(leaving)), 100):
        _store_whole(session, batch)
    return sorted(leaving, key=lambda i: (i not in against_others, i))


def new_lines(raw: bytes, former_raw: bytes) -> str:
    """The part of a text by which it is found: what its former version hasn't got, in whole lines."""
    known = set(former_raw.split(b"\n"))
    return b"\n".join(line for line in raw.split(b"\n") if line not in known).decode("utf-8")


def with_dependents(session: Session, texts: Sequence[int]) -> set[int]:
    """The texts and those that are stored against one of them."""
    found = set(texts)
    if len(texts) > _FEW:
        return found.union(
            i for i, base in session.rows("SELECT id, base FROM texts WHERE base IS NOT NULL") if base in found
        )
    return found.union(i for (i,) in session.rows("SELECT id FROM texts WHERE base IN @ints", list(texts)))


def leave_texts(database: Database, session: Session, leaving: Collection[int]) -> None:
    """The same of texts, which are dropped in any order."""
    dependents = _based(session, "SELECT id, base FROM texts WHERE base IN @ints", leaving)
    for batch in in_batches(sorted(dependents.keys() - set(leaving)), 100):
        whole = decompressed(session, _TEXTS, session.rows(_TEXTS, batch))
        rows = [(codec.compress(raw), i) for i, raw in whole.items()]
        session.run_many("UPDATE texts SET body = ?, base = NULL WHERE id = ?", rows)
        database.texts.remove(session, list(whole))
        database.texts.add(session, [(i, raw.decode("utf-8")) for i, raw in sorted(whole.items())])


def _store_whole(session: Session, documents: Sequence[int]) -> None:
    rows = session.rows(_PARTS, documents)
    for at, column in enumerate(("head", "symbols", "chunks"), 1):
        select = f"SELECT document, {column} FROM bodies WHERE document IN @ints"
        whole = decompressed(session, select, [(row[0], row[at]) for row in rows])
        session.run_many(
            f"UPDATE bodies SET {column} = ? WHERE document = ?", [(codec.compress(raw), i) for i, raw in whole.items()]
        )
    blocks = [block for found in _blocks(session, documents).values() for block in found]
    whole = decompressed(session, _RAW_BLOCKS, blocks)
    session.run_many(
        "UPDATE usage_blocks SET data = ? WHERE id = ?", [(codec.compress(w), i) for i, w in whole.items()]
    )
    session.run("UPDATE documents SET base = NULL WHERE id IN @ints", list(documents))


def _blocks(session: Session, documents: Collection[int]) -> Mapping[int, list[tuple[int, bytes]]]:
    found: defaultdict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for batch in in_batches(sorted(documents)):
        for document, i, data in session.rows(_BLOCKS, batch):
            found[document].append((i, data))
    return found


def _based(session: Session, sql: str, ids: Collection[int]) -> dict[int, int]:
    return {i: base for batch in in_batches(sorted(ids)) for i, base in session.rows(sql, batch)}


def _against(body: bytes, former: Stored) -> bytes:
    return codec.compress_against(codec.decompress(body), *former)


def _bytes(rows: DocumentRows) -> int:
    return sum(map(len, (rows.head, rows.symbols_body, rows.chunks_body, *rows.usage_blocks)))
