"""BM25 among exactly the chunks that a scope shows, and where contents are."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from headwater.stores.index_reader import ChunkRow, Scope, Snapshot
from headwater.stores.relational.database import Session
from headwater.stores.relational.ids import counter, in_batches
from headwater.stores.relational.layers import Layer, scope_param, stacked
from headwater.stores.relational.postings import Bm25, Weights
from headwater.stores.relational.rows import DECODED, DOCUMENT, DOCUMENT_WIDTH, SHOWN, Bodies, document_row

_KEPT_VIEWS, _KEPT_SCOPES = 64, 8

_PLACES = f"""
SELECT {DOCUMENT}, k.ordinal, lower(hex(c.hash)), c.id
FROM contents c CROSS JOIN chunks k {SHOWN.format("k.document")} AND k.content = c.id AND """
_ALL = """
SELECT k.content, c.length, 1 FROM entries e CROSS JOIN chunks k CROSS JOIN contents c
WHERE e.view = ? AND e.from_generation <= ? AND e.to_generation > ? AND k.document = e.document AND c.id = k.content"""
_OPENED = """
SELECT k.content, c.length, 1 FROM entries e CROSS JOIN chunks k CROSS JOIN contents c
WHERE e.view = ? AND e.from_generation > ? AND e.from_generation <= ? AND e.to_generation > ?
  AND k.document = e.document AND c.id = k.content"""
_MASKED = """
SELECT k.content, c.length, -1 FROM entries o CROSS JOIN entries e CROSS JOIN chunks k CROSS JOIN contents c
WHERE o.view = ? AND o.from_generation <= ? AND o.to_generation > ?
  AND e.view = ? AND e.directory = o.directory AND e.name = o.name AND +e.from_generation <= ? AND e.to_generation > ?
  AND k.document = e.document AND c.id = k.content"""
_HIDDEN = """
SELECT k.content, c.length, -1 FROM chunks k CROSS JOIN contents c WHERE k.document IN @ints AND c.id = k.content"""
_CLOSED = """
SELECT k.content, c.length, -1 FROM entries e CROSS JOIN chunks k CROSS JOIN contents c
WHERE e.view = ? AND e.to_generation > ? AND e.to_generation <= ? AND e.to_generation < 4611686018427387904
  AND e.from_generation <= ? AND k.document = e.document AND c.id = k.content"""


class _Contents:
    """The contents of one view at one generation, by ascending id, each with its length and number of places."""

    def __init__(self, rows: npt.NDArray[np.int64]) -> None:
        ids, first, inverse = np.unique(rows[:, 0], return_index=True, return_inverse=True)
        places = np.bincount(inverse.ravel(), weights=rows[:, 2], minlength=len(ids)).astype(np.int64)
        held = places > 0
        self.rows = np.stack([ids[held], rows[first, 1][held], places[held]], axis=1)

    def changed(self, rows: npt.NDArray[np.int64]) -> "_Contents":
        return _Contents(np.concatenate([self.rows, rows])) if len(rows) else self


_Shown = tuple[tuple[Layer, ...], frozenset[int]]  # layers, hidden documents


class _Kept(msgspec.Struct):
    """What is known of one scope: lengths by content id, and its hashes once somebody asked for them."""

    lengths: Weights
    hashes: list[str] | None = None


class Visible:
    """Which contents a scope shows. A view's next generation is derived from the last by what changed."""

    def __init__(self) -> None:
        self._views: OrderedDict[tuple[int, int], tuple[int, _Contents]] = OrderedDict()
        self._scopes: OrderedDict[tuple[int, frozenset[_Shown]], _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def lengths(self, session: Session, scope: Scope) -> Weights:
        """Lengths by content id, 0 where the scope does not show the content."""
        with self._lock:
            return self._kept(session, scope).lengths

    def hashes(self, session: Session, scope: Scope, limit: int) -> list[str] | None:
        """Hashes of all contents that the scope shows, None if they are more than `limit`."""
        with self._lock:
            kept = self._kept(session, scope)
            if kept.hashes is None:
                ids = np.flatnonzero(kept.lengths)
                if len(ids) > limit:
                    return None
                kept.hashes = sorted(key for key, _ in _hashes(session, [int(i) for i in ids]))
            return kept.hashes if len(kept.hashes) <= limit else None

    def _kept(self, session: Session, scope: Scope) -> _Kept:
        revision = counter(session, "revision")
        key = (revision, frozenset((_layers(s), s.hidden) for s in scope))
        if key in self._scopes:
            self._scopes.move_to_end(key)
            return self._scopes[key]
        tables = [self._shown(session, revision, shown).rows for shown in key[1]]
        lengths = np.zeros(1 + max((int(t[-1, 0]) for t in tables if len(t)), default=0))
        for table in tables:
            lengths[table[:, 0]] = table[:, 1]
        self._scopes[key] = _Kept(lengths)
        if len(self._scopes) > _KEPT_SCOPES:
            self._scopes.popitem(last=False)
        return self._scopes[key]

    def _shown(self, session: Session, revision: int, shown: _Shown) -> _Contents:
        (own, *under), hidden = shown
        if under:
            contents = self._overlaid(session, revision, own, under[0])
        else:
            contents = self._contents(session, revision, own.view, own.generation)
        for batch in in_batches(sorted(hidden)):
            contents = contents.changed(_table(session, _HIDDEN, batch))
        return contents

    def _overlaid(self, session: Session, revision: int, own: Layer, base: Layer) -> _Contents:
        """Not kept: branches are many, and each is its base but for a few contents."""
        added = _table(session, _ALL, own.view, own.generation, own.generation)
        masked = _table(session, _MASKED, *own.place, base.view, base.generation, base.generation)
        under = self._contents(session, revision, base.view, base.generation)
        return under.changed(np.concatenate([added, masked]))

    def count(self, session: Session, scope: Scope) -> int:
        return int(np.count_nonzero(self.lengths(session, scope)))

    def _contents(self, session: Session, revision: int, view: int, generation: int) -> _Contents:
        kept = self._views.get((view, generation))
        if kept is not None and kept[0] == revision:
            self._views.move_to_end((view, generation))
            return kept[1]
        earlier = [g for (v, g), k in self._views.items() if v == view and g < generation and k[0] == revision]
        before = max(_retained(session, view, earlier), default=None)
        if before is None:
            contents = _Contents(_table(session, _ALL, view, generation, generation))
        else:
            opened = _table(session, _OPENED, view, before, generation, generation)
            closed = _table(session, _CLOSED, view, before, generation, before)
            contents = self._views[view, before][1].changed(np.concatenate([opened, closed]))
        self._views[view, generation] = (revision, contents)
        if len(self._views) > _KEPT_VIEWS:
            self._views.popitem(last=False)
        return contents


def lexical(
    session: Session, visible: Visible, bodies: Bodies, scope: Scope, terms: Sequence[str], limit: int
) -> list[ChunkRow]:
    """See `IndexReader.lexical`; terms as stored. `limit` counts contents, each comes with all its places."""
    ranking = Bm25(visible.lengths(session, scope))
    for term, times in sorted(Counter(terms).items()):
        rows = session.rows("SELECT data FROM postings WHERE term = ?", term)
        ranking.add((data for (data,) in rows), times)
    scores = dict(ranking.best(limit))
    best = sorted((-scores[i], key, i) for key, i in _hashes(session, list(scores)))[:limit]
    places = _places(session, bodies, scope, "c.id IN @ints", [i for _, _, i in best], scores)
    return sorted(places, key=lambda r: (-r.score, r.chunk.content_hash, r.document.snapshot, r.document.path))


def chunks_of(session: Session, bodies: Bodies, scope: Scope, hashes: Sequence[str]) -> list[ChunkRow]:
    rows: list[ChunkRow] = []
    for batch in in_batches(list(dict.fromkeys(hashes))):
        rows.extend(_places(session, bodies, scope, "c.hash IN @hexes", batch, {}))
    order = {key: n for n, key in enumerate(dict.fromkeys(hashes))}
    return sorted(rows, key=lambda r: (order[r.chunk.content_hash], r.document.snapshot, r.document.path))


def chunk_hashes(session: Session, visible: Visible, scope: Scope, limit: int) -> list[str] | None:
    return visible.hashes(session, scope, limit)


def _hashes(session: Session, ids: Sequence[int]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for batch in in_batches(ids):
        rows = session.rows("SELECT lower(hex(hash)), id FROM contents WHERE id IN @ints", batch)
        found.extend((key, i) for key, i in rows)
    return found


def _places(
    session: Session, bodies: Bodies, scope: Scope, condition: str, values: Sequence[object], scores: dict[int, float]
) -> list[ChunkRow]:
    rows = session.rows(_PLACES + condition, scope_param(scope), list(values))
    places = [(document_row(row), *row[DOCUMENT_WIDTH:]) for row in rows]
    found: list[ChunkRow] = []
    for some in in_batches(places, DECODED):
        chunks = bodies.chunks(session, {document.document_id for document, *_ in some})
        found += [ChunkRow(d, chunks[d.document_id][n], scores.get(content, 0.0)) for d, n, _, content in some]
    return found


def _layers(snapshot: Snapshot) -> tuple[Layer, ...]:
    return stacked(snapshot.view_id, snapshot.generation, snapshot.base_view_id, snapshot.base_generation)


def _retained(session: Session, view: int, generations: Sequence[int]) -> list[int]:
    """Those of `generations` whose entries are all still there: what was collected since tells of no change."""
    if not generations:
        return []
    rows = session.rows(
        "SELECT generation FROM generations WHERE view = ? AND generation IN @ints", view, list(generations)
    )
    return [generation for (generation,) in rows]


def _table(session: Session, sql: str, *params: object) -> npt.NDArray[np.int64]:
    return np.array(session.rows(sql, *params), dtype=np.int64).reshape(-1, 3)
