"""Defined names by substring and by sub-tokens, in FTS5. Row ids start with the length, so the shortest come first."""

from collections.abc import Iterator, Sequence

from headwater.domain.subtoken import subtokens
from headwater.stores.relational.database import Session
from headwater.stores.relational.folding import fold
from headwater.stores.sqlite.fts_proof import wrong_rows
from headwater.stores.sqlite.schema import NAME_GRAMS, NAME_PARTS

_ID_BITS = 40
_PAGE = 256


def gram_query(literals: Sequence[str]) -> str:
    """An FTS5 query for all trigrams of the folded literals, '' when each is shorter than three characters."""
    grams = dict.fromkeys(text[i : i + 3] for text in literals for i in range(len(text) - 2))
    return " AND ".join('"' + gram.replace('"', '""') + '"' for gram in grams)


class SqliteNameIndex:
    """`NameIndex` over the tables defined_names, name_grams and name_parts."""

    def add(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        known = {i for (i,) in session.rows("SELECT id FROM defined_names WHERE id IN @ints", _row_ids(names))}
        rows = ((i, name) for i, (_, name) in zip(_row_ids(names), names, strict=True) if i not in known)
        fresh = sorted(rows)  # FTS5 writes a segment whenever a row id is below the one before
        session.run_many("INSERT INTO defined_names VALUES(?, ?)", [(i, fold(n)) for i, n in fresh])
        session.run_many("INSERT INTO name_grams(rowid, name) VALUES(?, ?)", [(i, fold(n)) for i, n in fresh])
        session.run_many(
            "INSERT INTO name_parts(rowid, name) VALUES(?, ?)", [(i, " ".join(subtokens(n))) for i, n in fresh]
        )

    def remove(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        ids = [(i,) for i in _row_ids(names)]
        session.run_many("DELETE FROM name_grams WHERE rowid = ?", ids)
        session.run_many("DELETE FROM name_parts WHERE rowid = ?", ids)
        session.run_many("DELETE FROM defined_names WHERE id = ?", ids)

    def drop_nameless(self, session: Session) -> None:
        session.run("DELETE FROM defined_names WHERE id & ? NOT IN (SELECT id FROM names)", (1 << _ID_BITS) - 1)

    def wrong(self, session: Session, names: Sequence[tuple[int, str]]) -> set[int]:
        rows = [(i, name) for i, (_, name) in zip(_row_ids(names), names, strict=True)]
        held: dict[int, str] = dict(session.rows("SELECT id, folded FROM defined_names"))
        wrong = {i for i, name in rows if held.get(i) != fold(name)}
        wrong |= wrong_rows(session, "name_grams", NAME_GRAMS, [(i, fold(n)) for i, n in rows], "term")
        parts = [(i, " ".join(subtokens(n))) for i, n in rows]
        wrong |= wrong_rows(session, "name_parts", NAME_PARTS, parts, 'term, "offset"')
        return {i & ((1 << _ID_BITS) - 1) for i in wrong}

    def folded(self, session: Session, name: str, limit: int) -> list[str]:
        rows = session.rows(
            f"SELECT n.name FROM defined_names d JOIN names n ON n.id = d.id & {(1 << _ID_BITS) - 1}"
            " WHERE d.folded = ? ORDER BY n.name LIMIT ?",
            fold(name),
            limit,
        )
        return [str(found) for (found,) in rows]

    def containing(self, session: Session, part: str, limit: int) -> list[str]:
        folded = fold(part)
        query = gram_query([folded])
        sql = (
            "SELECT rowid FROM name_grams WHERE name_grams MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
            if query
            else "SELECT id FROM defined_names WHERE instr(folded, ?) AND id > ? ORDER BY id LIMIT ?"
        )
        found = _matches(session, sql, query or folded)
        return _shortest((n for n in found if folded in fold(n)), limit)

    def with_parts(self, session: Session, parts: Sequence[str], limit: int) -> list[str]:
        run = [part.lower() for part in parts]
        if not run:
            return []
        sql = "SELECT rowid FROM name_parts WHERE name_parts MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
        phrase = '"' + " ".join(part.replace('"', '""') for part in run) + '"'
        return _shortest((n for n in _matches(session, sql, phrase) if _has_run(subtokens(n), run)), limit)


def _row_ids(names: Sequence[tuple[int, str]]) -> list[int]:
    return [(min(len(name), 0x7FFF) << _ID_BITS) | i for i, name in names]


def _matches(session: Session, sql: str, query: str) -> Iterator[str]:
    """Names of the matching rows, shortest first, read by pages so that a common part doesn't read them all."""
    last = 0
    while True:
        ids = [i for (i,) in session.rows(sql, query, last, _PAGE)]
        names: dict[int, str] = dict(
            session.rows("SELECT id, name FROM names WHERE id IN @ints", [i & ((1 << _ID_BITS) - 1) for i in ids])
        )
        yield from (names[i] for i in (found & ((1 << _ID_BITS) - 1) for found in ids) if i in names)
        if len(ids) < _PAGE:
            return
        last = ids[-1]


def _shortest(names: Iterator[str], limit: int) -> list[str]:
    """The first `limit` in (length, name) order of names that come in order of length."""
    found: list[str] = []
    for name in names:
        if len(found) >= limit and len(name) > len(found[-1]):
            break
        found.append(name)
    return sorted(found, key=lambda name: (len(name), name))[:limit]


def _has_run(tokens: Sequence[str], run: Sequence[str]) -> bool:
    width = len(run)
    return any(list(tokens[i : i + width]) == list(run) for i in range(len(tokens) - width + 1))
