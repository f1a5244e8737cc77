"""Collecting what no retained generation shows, until sizes are back where a fresh index would have them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from headwater.domain.document import FileFacts
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.deltas import leave_documents, leave_texts
from headwater.stores.relational.document_rows import BLOCK_BITS, symbol_entries, used_names
from headwater.stores.relational.ids import counter, in_batches
from headwater.stores.relational.manifest import OPEN
from headwater.stores.relational.rows import Bodies

_SWEEP_SHARE = 0.1  # postings of collected contents are harmless: they are swept when they are this part of all

_BASES = "SELECT DISTINCT base_view, base_generation FROM generations WHERE base_view > 0 ORDER BY 1, 2"
_DOCUMENT_TABLES = (
    "DELETE FROM chunks WHERE document = ?",
    "DELETE FROM bodies WHERE document = ?",
    "DELETE FROM documents WHERE id = ?",
)


def collect(database: Database, session: Session, keep: int, pins: Collection[tuple[int, int]]) -> int:
    """Returns the number of rows removed, postings not counted."""
    removed, suspects = _drop_generations(session, max(1, keep), pins)
    loose = session.rows("SELECT kind, id FROM loose")
    suspects.update(i for kind, i in loose if kind == "document")
    dead_documents = _without(session, suspects, "SELECT document FROM entries WHERE document IN @ints")
    contents, texts, names = _drop_documents(session, leave_documents(session, dead_documents))
    contents.update(i for kind, i in loose if kind == "content")
    session.run("DELETE FROM loose")
    dead_contents = _without(session, contents, "SELECT content FROM chunks WHERE content IN @ints")
    session.run_many("DELETE FROM contents WHERE id = ?", [(i,) for i in dead_contents])
    dead_texts = _without(session, texts, "SELECT text FROM documents WHERE text IN @ints")
    leave_texts(database, session, dead_texts)
    session.run_many("DELETE FROM texts WHERE id = ?", [(i,) for i in dead_texts])
    database.texts.remove(session, dead_texts)
    removed += len(dead_documents) + len(dead_contents) + len(dead_texts) + _drop_names(database, session, names)
    _sweep(database, session, len(dead_contents))
    return removed


def unreferenced(session: Session) -> int:
    """Documents without an entry, contents and texts without a document, entries of a deleted view that is no base."""
    rows = session.rows(
        "SELECT (SELECT count(*) FROM documents d WHERE NOT EXISTS(SELECT 1 FROM entries e WHERE e.document = d.id))"
        " + (SELECT count(*) FROM contents c WHERE NOT EXISTS(SELECT 1 FROM chunks k WHERE k.content = c.id))"
        " + (SELECT count(*) FROM texts t WHERE NOT EXISTS(SELECT 1 FROM documents d WHERE d.text = t.id))"
        " + (SELECT count(*) FROM entries e JOIN views v ON v.id = e.view WHERE v.deleted = 1"
        " AND NOT EXISTS(SELECT 1 FROM generations g WHERE g.base_view = v.id))"
    )
    return int(rows[0][0])


def _drop_generations(session: Session, keep: int, pins: Collection[tuple[int, int]]) -> tuple[int, set[int]]:
    """Rows removed, and the documents that they referred to. What lay over a base lets it go in the next round."""
    removed = 0
    suspects: set[int] = set()
    while True:
        bases = session.rows(_BASES)
        held: defaultdict[int, set[int]] = defaultdict(set)
        for view_id, generation in (*pins, *bases):
            held[view_id].add(generation)
        for view_id, deleted in session.rows("SELECT id, deleted FROM views"):
            top = OPEN if deleted else _newest_kept(session, view_id, keep)
            removed += _drop_between(session, view_id, held[view_id], top, suspects)
            if deleted and not held[view_id]:
                removed += session.run("DELETE FROM views WHERE id = ?", view_id)
        if session.rows(_BASES) == bases:
            return removed, suspects


def _drop_between(session: Session, view_id: int, held: Collection[int], top: int, suspects: set[int]) -> int:
    """Drop the rows of a view that show at no held generation and not from `top` on; their number."""
    removed = 0
    kept = sorted(generation for generation in held if generation < top)
    for after, until in pairwise([0, *kept, top]):
        condition = "view = ? AND from_generation > ? AND to_generation > ? AND to_generation <= ?"
        if until < OPEN:
            condition += f" AND to_generation < {OPEN}"  # lets the planner take the index of the closed
        place = (view_id, after, after, until)
        suspects.update(_documents(session, f"SELECT document FROM entries WHERE {condition}", *place))
        removed += session.run(f"DELETE FROM entries WHERE {condition}", *place)
        removed += session.run(
            "DELETE FROM generations WHERE view = ? AND generation > ? AND generation < ?", view_id, after, until
        )
    return removed


def _newest_kept(session: Session, view_id: int, keep: int) -> int:
    """The oldest of the newest `keep` published generations; 0 when there are fewer."""
    published = session.rows(
        "SELECT generation FROM generations WHERE view = ? AND published = 1 ORDER BY generation DESC LIMIT ?",
        view_id,
        keep,
    )
    return int(published[-1][0]) if published else 0


def _documents(session: Session, sql: str, *params: int) -> Iterable[int]:
    return (i for (i,) in session.rows(sql, *params) if i is not None)


def _without(session: Session, ids: Collection[int], holders: str) -> list[int]:
    """Those of `ids` that the statement `holders` doesn't return."""
    free = set(ids)
    for batch in in_batches(sorted(ids)):
        free.difference_update(i for (i,) in session.rows(holders, batch))
    return sorted(free)


def _drop_documents(session: Session, documents: Sequence[int]) -> tuple[set[int], set[int], set[str]]:
    """Delete documents with their rows: the contents, texts and names that may be free now."""
    bodies = Bodies(capacity=0)
    contents: set[int] = set()
    texts: set[int] = set()
    names: set[str] = set()
    for document_id in documents:
        contents.update(i for (i,) in session.rows("SELECT content FROM chunks WHERE document = ?", document_id))
        texts.update(
            i for (i,) in session.rows("SELECT text FROM documents WHERE id = ?", document_id) if i is not None
        )
        document = bodies.document(session, document_id)
        if document is not None:
            names.update(_drop_names_of(session, document_id, document.facts))
        for statement in _DOCUMENT_TABLES:
            session.run(statement, document_id)
    return contents, texts, names


def _drop_names_of(session: Session, document_id: int, facts: FileFacts) -> set[str]:
    names = {e.name for e in symbol_entries(facts)} | used_names(facts)
    ids = _name_ids(session, names)
    session.run_many("DELETE FROM symbols WHERE name = ? AND document = ?", [(i, document_id) for i in ids])
    session.run_many("DELETE FROM usages WHERE name = ? AND document = ?", [(i, document_id) for i in ids])
    session.run(
        "DELETE FROM usage_blocks WHERE id >= ? AND id < ?", document_id << BLOCK_BITS, (document_id + 1) << BLOCK_BITS
    )
    return names


def _name_ids(session: Session, names: Collection[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    for batch in in_batches(sorted(names)):
        found.update(session.rows("SELECT id, name FROM names WHERE name IN @texts", batch))
    return found


def _drop_names(database: Database, session: Session, names: Collection[str]) -> int:
    """Forget names that nothing defines, and those that nothing uses either."""
    ids = _name_ids(session, names)
    undefined = _without(session, ids.keys(), "SELECT name FROM symbols WHERE name IN @ints")
    database.names.remove(session, [(i, ids[i]) for i in undefined])
    unused = _without(session, undefined, "SELECT name FROM usages WHERE name IN @ints")
    session.run_many("DELETE FROM names WHERE id = ?", [(i,) for i in unused])
    return len(unused)


def _sweep(database: Database, session: Session, dead: int) -> None:
    if dead:
        session.run("UPDATE counters SET value = value + ? WHERE name = 'dead_contents'", dead)
    waiting = counter(session, "dead_contents")
    if not waiting or waiting < _SWEEP_SHARE * int(session.rows("SELECT count(*) FROM contents")[0][0]):
        return
    database.terms.sweep(session, alive_ids(session, "SELECT id FROM contents"))
    session.run("UPDATE counters SET value = 0 WHERE name = 'dead_contents'")


def alive_ids(session: Session, sql: str) -> npt.NDArray[np.bool_]:
    """A mask by id of the ids that `sql` gives; ids beyond it aren't alive either."""
    ids = [i for (i,) in session.rows(sql)]
    mask = np.zeros(max(ids, default=-1) + 1, dtype=bool)
    mask[ids] = True
    return mask
