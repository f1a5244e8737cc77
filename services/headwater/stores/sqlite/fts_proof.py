"""Compares a full-text index with one that is made anew beside it, entry by entry, in temporary tables."""

from collections.abc import Sequence
from zlib import adler32, crc32

from headwater.stores.relational.database import Session

_MASK = (1 << 64) - 1


def wrong_rows(session: Session, index: str, layout: str, rows: Sequence[tuple[int, str]], words: str) -> set[int]:
    """Row ids whose entries in the FTS5 table `index` aren't those of `rows`; `layout` is its declaration.

    `words` is the columns of a vocabulary that tell entries of one row apart.
    """
    session.run("PRAGMA query_only = 0")  # temporary tables only
    try:
        session.run(f"CREATE VIRTUAL TABLE temp.expected USING fts5({layout})")
        session.run_many(f"INSERT INTO temp.expected(rowid, {layout.partition(',')[0]}) VALUES(?, ?)", rows)
        wanted, held = _sums(session, "temp", "expected", words), _sums(session, "main", index, words)
        session.run("DROP TABLE temp.expected")
    finally:
        session.run("PRAGMA query_only = 1")
    return {i for i, _ in rows if wanted.get(i, 0) != held.get(i, 0)}


def _sums(session: Session, schema: str, index: str, words: str) -> dict[int, int]:
    session.run(f"CREATE VIRTUAL TABLE temp.entries_of USING fts5vocab({schema}, {index}, instance)")
    sums: dict[int, int] = {}
    last, value = "", 0
    for doc, *word in session.rows(f"SELECT doc, {words} FROM temp.entries_of"):
        spelled = repr(word)
        if spelled != last:
            raw = spelled.encode("utf-8", "surrogatepass")
            last, value = spelled, ((crc32(raw) << 32 | adler32(raw)) * 0xBF58476D1CE4E5B9) & _MASK
        sums[doc] = (sums.get(doc, 0) + (value ^ (value >> 29))) & _MASK
    session.run("DROP TABLE temp.entries_of")
    return sums
