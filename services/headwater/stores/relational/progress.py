"""What a generation still waits for, and what its view holds: marks, missing parts and counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from headwater.domain.view import ChunkCounts, FileCounts
from headwater.stores.catalog import Missing
from headwater.stores.relational import codec
from headwater.stores.relational.database import Row, Session
from headwater.stores.relational.ids import in_batches
from headwater.stores.relational.layers import Layer

_PROBE = 2_000  # what waits longest is looked at first

_VISIBLE = "e.view = ? AND e.from_generation <= ? AND e.to_generation > ?"
_SHOWS = f"+{_VISIBLE}"  # the plus keeps the planner on the index of e.document
_OLDEST_DOCUMENTS = f"SELECT id, path FROM documents WHERE status = 0 ORDER BY id LIMIT {_PROBE}"
_OLDEST_CONTENTS = f"SELECT id FROM contents WHERE embedded = 0 ORDER BY id LIMIT {_PROBE}"
# {mask} is a layer's; a base is looked at whole, as its own progress is that of another generation
_PATHS_BY_BACKLOG = f"""
SELECT d.path FROM ({_OLDEST_DOCUMENTS}) AS d CROSS JOIN entries e
WHERE e.document = d.id AND {_SHOWS} {{mask}} LIMIT ?"""
_PATHS_BY_VIEW = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} {{mask}} AND {{since}} AND d.id = e.document AND d.status = 0 LIMIT ?"""
_UNEMBEDDED_BY_BACKLOG = f"""
SELECT DISTINCT d.path
FROM ({_OLDEST_CONTENTS}) AS c CROSS JOIN chunks k CROSS JOIN entries e CROSS JOIN documents d
WHERE k.content = c.id AND e.document = k.document AND {_SHOWS} {{mask}} AND d.id = k.document LIMIT ?"""
_UNEMBEDDED_BY_VIEW = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} {{mask}} AND {{since}} AND d.id = e.document
  AND EXISTS(
    SELECT 1 FROM chunks k CROSS JOIN contents c
    WHERE k.document = e.document AND c.id = k.content AND c.embedded = 0) LIMIT ?"""
_SINCE_PUBLISHED = "e.from_generation > (SELECT published FROM views WHERE id = e.view)"
_SINCE_VECTORS = "e.from_generation > (SELECT vectors_at FROM views WHERE id = e.view)"
_NOT_AT_VECTORS = f"({_SINCE_VECTORS} OR e.to_generation <= (SELECT vectors_at FROM views WHERE id = e.view))"
_PARKED = f"""
SELECT d.path FROM entries e CROSS JOIN documents d
WHERE {_VISIBLE} {{mask}} AND d.id = e.document AND d.status = {codec.PARKED}"""
_MARKS = "SELECT lower(hex(hash)), embedded FROM contents WHERE hash IN @hexes ORDER BY hash @locked"

_MARKED = "SELECT lower(hex(hash)) FROM contents WHERE hash > ? AND embedded = 1 ORDER BY hash LIMIT ?"
_SHOWING = """
SELECT DISTINCT e.view FROM contents c CROSS JOIN chunks k CROSS JOIN entries e
WHERE c.hash IN @hexes AND k.content = c.id AND e.document = k.document"""
_OVER = "SELECT DISTINCT view FROM generations WHERE base_view IN @ints"


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
    """Locks views before contents; the revision tells readers that views changed without a publication."""
    wanted = sorted(set(hashes))
    showing: set[int] = set()
    for batch in in_batches(wanted):
        showing.update(view for (view,) in session.rows(_SHOWING, batch))
    showing.update(view for (view,) in session.rows(_OVER, sorted(showing)))
    for view in sorted(showing):
        session.run("UPDATE views SET vector_complete = 0 WHERE id = ?", view)
    session.run("UPDATE views SET vectors_at = 0")  # so that `missing` looks at everything again
    for batch in in_batches(wanted):
        session.rows(_MARKS, batch)
        session.run("UPDATE contents SET embedded = 0 WHERE hash IN @hexes", batch)
    session.run("UPDATE counters SET value = value + 1 WHERE name = 'revision'")


def marked(session: Session, after: str, limit: int) -> list[str]:
    rows = session.rows(_MARKED, bytes.fromhex(after), limit)
    return [key for (key,) in rows]


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


def missing(session: Session, layers: Sequence[Layer], limit: int) -> Missing:
    """See `Catalog.missing`."""
    return Missing(
        paths=_waiting(session, _OLDEST_DOCUMENTS, _PATHS_BY_BACKLOG, _paths_by_view, layers, limit),
        unembedded=_waiting(session, _OLDEST_CONTENTS, _UNEMBEDDED_BY_BACKLOG, _unembedded_by_view, layers, limit),
    )


def _paths_by_view(layer: Layer) -> str:
    return _PATHS_BY_VIEW.format(mask=layer.mask, since="1 = 1" if layer.above else _SINCE_PUBLISHED)


def _unembedded_by_view(layer: Layer) -> str:
    return _UNEMBEDDED_BY_VIEW.format(mask=layer.mask, since=_NOT_AT_VECTORS if layer.above else _SINCE_VECTORS)


def _waiting(
    session: Session,
    oldest: str,
    by_backlog: str,
    by_view: Callable[[Layer], str],
    layers: Sequence[Layer],
    limit: int,
) -> tuple[str, ...]:
    """Few things wait, or a bulk load's own wait in front: either way the oldest answer. Else the view is walked."""
    paths = _limited(session, lambda layer: by_backlog.format(mask=layer.mask), layers, limit)
    if len(paths) < limit and _count(session, oldest) == _PROBE:
        paths = _limited(session, by_view, layers, limit)
    return paths


def _limited(session: Session, sql: Callable[[Layer], str], layers: Sequence[Layer], limit: int) -> tuple[str, ...]:
    found: list[str] = []
    for layer in layers:
        if len(found) < limit:
            found += [path for (path,) in session.rows(sql(layer), *layer.place, limit - len(found))]
    return tuple(found)


def _count(session: Session, sql: str) -> int:
    return int(session.rows(f"SELECT count(*) FROM ({sql}) AS counted")[0][0])


def parked(session: Session, layers: Sequence[Layer]) -> tuple[str, ...]:
    return tuple(sorted(path for (path,) in _of_layers(session, _PARKED, layers)))


def file_counts(session: Session, layers: Sequence[Layer]) -> FileCounts:
    by_status = (
        f"SELECT d.status, count(*) FROM entries e JOIN documents d ON d.id = e.document WHERE {_VISIBLE} {{mask}}"
        " GROUP BY d.status"
    )
    counts: Counter[int] = Counter()
    for status, count in _of_layers(session, by_status, layers):
        counts[status] += count
    return FileCounts(counts[codec.INDEXED], counts[codec.SKIPPED], counts[codec.PARKED])


def unembedded(session: Session, layers: Sequence[Layer]) -> int:
    contents = (
        "SELECT DISTINCT k.content FROM entries e JOIN chunks k ON k.document = e.document"
        f" JOIN contents c ON c.id = k.content AND c.embedded = 0 WHERE {_VISIBLE} {{mask}}"
    )
    return len({i for (i,) in _of_layers(session, contents, layers)})


def chunk_counts(session: Session, before: Sequence[Layer], layers: Sequence[Layer]) -> ChunkCounts:
    """Distinct contents at one generation, compared with those at another."""
    contents = (
        f"SELECT DISTINCT k.content FROM entries e JOIN chunks k ON k.document = e.document WHERE {_VISIBLE} {{mask}}"
    )
    was = {i for (i,) in _of_layers(session, contents, before)}
    now = {i for (i,) in _of_layers(session, contents, layers)}
    return ChunkCounts(total=len(now), embedded=len(now - was), reused=len(now & was), removed=len(was - now))


def _of_layers(session: Session, sql: str, layers: Sequence[Layer]) -> list[Row]:
    return [row for layer in layers for row in session.rows(sql.format(mask=layer.mask), *layer.place)]
