"""What a generation still waits for, and what its view holds: marks, missing parts and counts."""

from collections.abc import Iterable, Sequence

from headwater.domain.view import ChunkCounts, FileCounts
from headwater.stores.catalog import Missing
from headwater.stores.relational import codec
from headwater.stores.relational.database import Session
from headwater.stores.relational.ids import in_batches

_PROBE = 2_000  # what waits longest is looked at first

_VISIBLE = "e.view = ? AND e.from_generation <= ? AND e.to_generation > ?"
_SHOWS = f"+{_VISIBLE}"  # the plus keeps the planner on the index of e.document
_OLDEST_DOCUMENTS = f"SELECT id, path FROM documents WHERE status = 0 ORDER BY id LIMIT {_PROBE}"
_OLDEST_CONTENTS = f"SELECT id FROM contents WHERE embedded = 0 ORDER BY id LIMIT {_PROBE}"
_PATHS_BY_BACKLOG = f"""
SELECT d.path FROM ({_OLDEST_DOCUMENTS}) AS d CROSS JOIN entries e WHERE e.document = d.id AND {_SHOWS} LIMIT ?"""
_PATHS_BY_VIEW = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} AND e.from_generation > (SELECT published FROM views WHERE id = e.view)
  AND d.id = e.document AND d.status = 0 LIMIT ?"""
_UNEMBEDDED_BY_BACKLOG = f"""
SELECT DISTINCT d.path
FROM ({_OLDEST_CONTENTS}) AS c CROSS JOIN chunks k CROSS JOIN entries e CROSS JOIN documents d
WHERE k.content = c.id AND e.document = k.document AND {_SHOWS} AND d.id = k.document LIMIT ?"""
_UNEMBEDDED_BY_VIEW = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} AND e.from_generation > (SELECT vectors_at FROM views WHERE id = e.view) AND d.id = e.document
  AND EXISTS(
    SELECT 1 FROM chunks k CROSS JOIN contents c
    WHERE k.document = e.document AND c.id = k.content AND c.embedded = 0) LIMIT ?"""
_MARKS = "SELECT lower(hex(hash)), embedded FROM contents WHERE hash IN @hexes ORDER BY hash @locked"
_PARKED = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} AND d.id = e.document AND d.status = {codec.PARKED} ORDER BY d.path"""


def mark_embedded(session: Session, hashes: Sequence[str]) -> None:
    """A vector may be known before any document that holds its content: the mark is kept until `collect`."""
    for batch in in_batches(sorted(set(hashes))):
        rows = session.rows(_MARKS, batch)
        waiting = [key for key, embedded in rows if not embedded]
        session.run("UPDATE contents SET embedded = 1 WHERE hash IN @hexes AND embedded = 0", waiting)
        absent = sorted(set(batch) - {key for key, _ in rows})
        _insert_marks(session, absent)


def _insert_marks(session: Session, hashes: Sequence[str]) -> None:
    if not hashes:
        return
    session.insert(
        "contents",
        "hash, embedded",
        [(bytes.fromhex(key), 1) for key in hashes],
        "ON CONFLICT(hash) DO UPDATE SET embedded = 1",
    )
    rows = session.rows("SELECT 'content', id FROM contents WHERE hash IN @hexes", list(hashes))
    session.insert("loose", "kind, id", rows, "ON CONFLICT DO NOTHING")


def unmark_embedded(session: Session, hashes: Sequence[str]) -> None:
    session.run("UPDATE views SET vectors_at = 0")  # so that `missing` looks at everything again
    for batch in in_batches(sorted(set(hashes))):
        session.rows(_MARKS, batch)
        session.run("UPDATE contents SET embedded = 0 WHERE hash IN @hexes", batch)


def embedded(session: Session, hashes: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for batch in in_batches(list(hashes)):
        rows = session.rows("SELECT lower(hex(hash)) FROM contents WHERE hash IN @hexes AND embedded = 1", batch)
        found.update(key for (key,) in rows)
    return found


def orphan_hashes(session: Session, hashes: Iterable[str]) -> list[str]:
    """A marked content counts as held until `collect` drops its mark, so that no vector goes before its mark."""
    wanted = list(hashes)
    present: set[str] = set()
    for batch in in_batches(wanted):
        present.update(
            key for (key,) in session.rows("SELECT lower(hex(hash)) FROM contents WHERE hash IN @hexes", batch)
        )
    return [key for key in wanted if key not in present]


def missing(session: Session, view_id: int, generation: int, limit: int) -> Missing:
    """See `Catalog.missing`."""
    place = (view_id, generation, generation)
    return Missing(
        paths=_waiting(session, _OLDEST_DOCUMENTS, _PATHS_BY_BACKLOG, _PATHS_BY_VIEW, place, limit),
        unembedded=_waiting(session, _OLDEST_CONTENTS, _UNEMBEDDED_BY_BACKLOG, _UNEMBEDDED_BY_VIEW, place, limit),
    )


def _waiting(
    session: Session, oldest: str, by_backlog: str, by_view: str, place: tuple[int, int, int], limit: int
) -> tuple[str, ...]:
    """Few things wait, or a bulk load's own wait in front: either way the oldest answer. Else the view is walked."""
    rows = session.rows(by_backlog, *place, limit)
    if len(rows) < limit and _count(session, oldest) == _PROBE:
        rows = session.rows(by_view, *place, limit)
    return tuple(path for (path,) in rows)


def _count(session: Session, sql: str) -> int:
    return int(session.rows(f"SELECT count(*) FROM ({sql}) AS counted")[0][0])


def parked(session: Session, view_id: int, generation: int) -> tuple[str, ...]:
    return tuple(path for (path,) in session.rows(_PARKED, view_id, generation, generation))


def file_counts(session: Session, view_id: int, generation: int) -> FileCounts:
    counts: dict[int, int] = dict(
        session.rows(
            f"SELECT d.status, count(*) FROM entries e JOIN documents d ON d.id = e.document WHERE {_VISIBLE}"
            " GROUP BY d.status",
            view_id,
            generation,
            generation,
        )
    )
    return FileCounts(counts.get(codec.INDEXED, 0), counts.get(codec.SKIPPED, 0), counts.get(codec.PARKED, 0))


def chunk_counts(session: Session, view_id: int, before: int, generation: int) -> ChunkCounts:
    """Distinct contents of a view at one generation, compared with those at another."""
    contents = "SELECT DISTINCT k.content FROM entries e JOIN chunks k ON k.document = e.document WHERE " + _VISIBLE
    was = {i for (i,) in session.rows(contents, view_id, before, before)}
    now = {i for (i,) in session.rows(contents, view_id, generation, generation)}
    return ChunkCounts(total=len(now), embedded=len(now - was), reused=len(now & was), removed=len(was - now))
