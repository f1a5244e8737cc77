"""Repositories, views and their generations: statements and the compare-and-set rules."""

from collections.abc import Sequence
from typing import Any

from headwater.domain.view import Refusal, ViewKey, ViewState
from headwater.stores.catalog import Base, DivergenceError, Overlay, Repository, StaleGenerationError
from headwater.stores.relational.database import Session
from headwater.stores.relational.layers import Layer, layers_of
from headwater.stores.relational.manifest import stored_root

_STATES = """
SELECT v.repo, v.ref, v.opened, coalesce(o.commit_id, ''), coalesce(o.tree, ''), v.published,
  coalesce(p.commit_id, ''), coalesce(p.tree, ''), v.proven, coalesce(p.pushed_at, 0), v.published_at,
  v.vector_complete, coalesce(o.rules, ''), coalesce(p.rules, '')
FROM views v
LEFT JOIN generations o ON o.view = v.id AND o.generation = v.opened
LEFT JOIN generations p ON p.view = v.id AND p.generation = v.published
WHERE v.deleted = 0"""

# Equal only if nothing has changed: ids are never given twice, generations and deletions only grow, and where a view is
# no longer complete, it has published another generation or the revision has grown.
_VERSION = """
SELECT count(*), coalesce(max(id), 0), coalesce(sum(opened), 0), coalesce(sum(published), 0),
  coalesce(sum(deleted), 0), coalesce(sum(vector_complete), 0),
  (SELECT value FROM counters WHERE name = 'revision') FROM views"""


def add_repository(session: Session, repository: Repository) -> None:
    session.run(
        "INSERT INTO repositories(name, location, paused) VALUES(?, ?, ?)"
        " ON CONFLICT(name) DO UPDATE SET location = excluded.location, paused = excluded.paused",
        repository.name,
        repository.location,
        int(repository.paused),
    )


def repositories(session: Session) -> list[Repository]:
    rows = session.rows("SELECT name, location, paused FROM repositories ORDER BY name")
    return [Repository(name, location, bool(paused)) for name, location, paused in rows]


def remove_repository(session: Session, name: str) -> None:
    """Its views go with it."""
    session.run("DELETE FROM repositories WHERE name = ?", name)
    session.run("DELETE FROM refusals WHERE repo = ?", name)
    session.run("UPDATE views SET deleted = 1 WHERE repo = ? AND deleted = 0", name)


def view_states(session: Session) -> list[ViewState]:
    return [_state(row) for row in session.rows(f"{_STATES} ORDER BY v.repo, v.ref")]


class ViewStates:
    """The states of all views, read again only when one has changed: thousands are asked for with every question.

    The same list is given until then, and is not to be changed.
    """

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, ...], list[ViewState]] = ((), [])

    def current(self, session: Session) -> list[ViewState]:
        version = session.rows(_VERSION)[0]
        if self._kept[0] != version:
            self._kept = (version, view_states(session))
        return self._kept[1]


def view_state(session: Session, view: ViewKey) -> ViewState | None:
    rows = session.rows(f"{_STATES} AND v.repo = ? AND v.ref = ?", view.repo, view.ref)
    return _state(rows[0]) if rows else None


def live_view_id(session: Session, view: ViewKey) -> int | None:
    rows = session.rows("SELECT id FROM views WHERE repo = ? AND ref = ? AND deleted = 0", view.repo, view.ref)
    return int(rows[0][0]) if rows else None


def advance(
    session: Session, view: ViewKey, base: int, commit: str, tree: str, pushed_at: float, rules: str
) -> tuple[int, int]:
    """Claim generation base + 1: (view id, generation). Raises StaleGenerationError."""
    found = locked_view(session, view)
    if found is None:
        session.insert("views", "repo, ref", [(view.repo, view.ref)], "ON CONFLICT DO NOTHING")
        found = locked_view(session, view)
    view_id, opened = found or (0, -1)
    if opened != base:
        raise StaleGenerationError(
            f"generation {opened} of {view.repo} {view.ref} is open, not {base}: read the view again"
        )
    _forget_refusal(session, view)
    generation = base + 1
    session.run("UPDATE views SET opened = ? WHERE id = ?", generation, view_id)
    session.run(
        "INSERT INTO generations(view, generation, commit_id, tree, pushed_at, rules) VALUES(?, ?, ?, ?, ?, ?)",
        view_id,
        generation,
        commit,
        tree,
        pushed_at,
        rules,
    )
    return view_id, generation


def locked_view(session: Session, view: ViewKey) -> tuple[int, int] | None:
    """Id and newest opened generation of a view that no other writer changes until the transaction ends."""
    rows = session.rows(
        "SELECT id, opened FROM views WHERE repo = ? AND ref = ? AND deleted = 0 @locked", view.repo, view.ref
    )
    return (int(rows[0][0]), int(rows[0][1])) if rows else None


def base_of(session: Session, base: Base) -> tuple[int, int]:
    """Ids of a base that branches may lie over. Raises StaleGenerationError when it may not be one (any more)."""
    rows = session.rows(
        "SELECT v.id FROM views v JOIN generations g ON g.view = v.id AND g.generation = ?"
        " WHERE v.repo = ? AND v.ref = ? AND v.deleted = 0 AND g.base_view = 0",
        base.generation,
        base.view.repo,
        base.view.ref,
    )
    if not rows:
        raise StaleGenerationError(
            f"generation {base.generation} of {base.view.repo} {base.view.ref} can't be a base (any more):"
            " choose the base again"
        )
    return int(rows[0][0]), base.generation


def overlay(session: Session, view: ViewKey) -> Overlay | None:
    """See `Catalog.overlay`."""
    rows = session.rows(
        "SELECT b.repo, b.ref, g.base_generation, v.id, v.opened FROM views v"
        " JOIN generations g ON g.view = v.id AND g.generation = v.opened JOIN views b ON b.id = g.base_view"
        " WHERE v.repo = ? AND v.ref = ? AND v.deleted = 0",
        view.repo,
        view.ref,
    )
    if not rows:
        return None
    repo, ref, generation, view_id, opened = rows[0]
    places = session.rows(
        "SELECT count(*) FROM entries WHERE view = ? AND from_generation <= ? AND to_generation > ?",
        view_id,
        opened,
        opened,
    )
    return Overlay(Base(ViewKey(repo, ref), generation), int(places[0][0]))


def refuse(session: Session, refusal: Refusal) -> None:
    view = refusal.view
    _forget_refusal(session, view)
    rows = [(view.repo, view.ref, refusal.commit, refusal.reason)]
    session.insert("refusals", "repo, ref, commit_id, reason", rows, "ON CONFLICT DO NOTHING")


def refusals(session: Session) -> dict[ViewKey, Refusal]:
    rows = session.rows("SELECT repo, ref, commit_id, reason FROM refusals ORDER BY repo, ref")
    return {ViewKey(repo, ref): Refusal(ViewKey(repo, ref), commit, reason) for repo, ref, commit, reason in rows}


def _forget_refusal(session: Session, view: ViewKey) -> None:
    session.run("DELETE FROM refusals WHERE repo = ? AND ref = ?", view.repo, view.ref)


def entry_count(session: Session, layers: Sequence[Layer]) -> int:
    counts = "SELECT count(*) FROM entries WHERE view = ? AND from_generation <= ? AND to_generation > ?"
    return sum(int(session.rows(counts, *layer.place[:3])[0][0]) for layer in layers)


def delete_view(session: Session, view: ViewKey) -> None:
    _forget_refusal(session, view)
    session.run("UPDATE views SET deleted = 1 WHERE repo = ? AND ref = ? AND deleted = 0", view.repo, view.ref)


def publish(session: Session, view: ViewKey, generation: int, vector_complete: bool, published_at: float) -> bool:
    """See `Catalog.publish`."""
    if locked_view(session, view) is None:
        return False
    rows = session.rows(
        "SELECT v.id, v.published, v.vector_complete, g.tree FROM views v"
        " JOIN generations g ON g.view = v.id AND g.generation = ?"
        " WHERE v.repo = ? AND v.ref = ? AND v.deleted = 0",
        generation,
        view.repo,
        view.ref,
    )
    if not rows:
        return False
    view_id, published, was_complete, tree = rows[0]
    if published > generation:
        return False
    if published == generation:
        if vector_complete and not was_complete:
            _mark_vectors(session, view_id, generation)
        return True
    root = stored_root(session, layers_of(session, view_id, generation))
    if root != tree:
        raise DivergenceError(
            f"the manifest of {view.repo} {view.ref} generation {generation} is tree {root}, the commit's is {tree}"
        )
    session.run(
        "UPDATE views SET published = ?, published_at = ?, vector_complete = 0, proven = 1 WHERE id = ?",
        generation,
        published_at,
        view_id,
    )
    session.run("UPDATE generations SET published = 1 WHERE view = ? AND generation = ?", view_id, generation)
    if vector_complete:
        _mark_vectors(session, view_id, generation)
    return True


def _mark_vectors(session: Session, view_id: int, generation: int) -> None:
    session.run("UPDATE views SET vector_complete = 1, vectors_at = ? WHERE id = ?", generation, view_id)


def _state(row: tuple[Any, ...]) -> ViewState:
    repo, ref, opened, opened_commit, opened_tree, *published_row = row
    published, commit, tree, proven, pushed, published_at, vector, rules, published_rules = published_row
    return ViewState(
        view=ViewKey(repo, ref),
        opened=opened,
        opened_commit=opened_commit,
        opened_tree=opened_tree,
        published=published,
        commit=commit,
        tree=tree,
        tree_proven=bool(proven),
        pushed_at=pushed,
        published_at=published_at,
        vector_complete=bool(vector),
        opened_rules=rules,
        published_rules=published_rules,
    )
