"""The manifest in the database: reading directories, and writing what `plan_generation` decided."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from headwater.domain.document import document_key
from headwater.domain.merkle import EntryChange
from headwater.domain.tree import EMPTY_TREE, TreeEntry, TreeUnreadableError
from headwater.domain.tree_object import tree_order
from headwater.stores.relational import codec
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.ids import ensured
from headwater.stores.relational.layers import Layer, layers_of
from headwater.stores.relational.manifest_plan import Directory, ManifestRow, plan_generation, root_of
from headwater.stores.relational.overlay_plan import NOTHING, OverlayRows, Place, effective, plan_overlay

OPEN = 1 << 62  # to_generation of an entry that no later generation has closed

_DIRECTORY = """
SELECT e.id, e.mode, e.name, lower(hex(e.oid)) FROM entries e
WHERE e.view = ? AND e.directory = (SELECT id FROM directories WHERE path = ?)
  AND +e.from_generation <= ? AND e.to_generation > ?"""  # the plus keeps the planner on the index of places
_KEYED_DIRECTORY = """
SELECT e.id, e.mode, e.name, lower(hex(e.oid)), coalesce(lower(hex(d.key)), '')
FROM entries e LEFT JOIN documents d ON d.id = e.document
WHERE e.view = ? AND e.directory = (SELECT id FROM directories WHERE path = ?)
  AND +e.from_generation <= ? AND e.to_generation > ?"""
_PLACES = """
SELECT r.path, e.name FROM entries e JOIN directories r ON r.id = e.directory
WHERE e.view = ? AND e.from_generation <= ? AND e.to_generation > ?"""


def directory_rows(session: Session, layers: Sequence[Layer], path: str) -> Directory:
    """The entries of one directory as these layers show it."""
    own, *under = (_rows(session, layer, path) for layer in layers)
    return effective(under[0] if under else {}, own)


def _rows(session: Session, layer: Layer, path: str) -> Directory:
    rows = session.rows(_DIRECTORY, layer.view, path, layer.generation, layer.generation)
    return {name: ManifestRow(i, TreeEntry(mode, name, oid)) for i, mode, name, oid in rows}


def _keyed_rows(session: Session, layer: Layer, path: str) -> Directory:
    """A layer's own entries with the keys of their documents."""
    rows = session.rows(_KEYED_DIRECTORY, layer.view, path, layer.generation, layer.generation)
    return {name: ManifestRow(i, TreeEntry(mode, name, oid), key) for i, mode, name, oid, key in rows}


def stored_root(session: Session, layers: Sequence[Layer]) -> str:
    """The root tree id, hashed from the root directory's rows."""
    return root_of(directory_rows(session, layers, ""))


def write_generation(
    session: Session,
    view_id: int,
    generation: int,
    changes: Sequence[EntryChange],
    version: str,
    base: tuple[int, int] | None,
) -> None:
    """Close and open the rows by which `generation` differs from the one before.

    With a `base` (view, generation), the changes are to it, and `generation` is laid over it.
    """
    before = layers_of(session, view_id, generation - 1)
    own = cache(lambda path: _keyed_rows(session, before[0], path))
    under = Layer(*base) if base else before[1] if len(before) > 1 else None
    keys = {
        c.path: document_key(c.path, c.new.oid, c.new.mode, version, c.variant)
        for c in changes
        if c.new is not None and c.new.is_file
    }
    if under is None:
        plan = plan_generation(own, changes, keys)
        rows = OverlayRows(plan.closed, {(o.directory, o.entry.name): o.entry for o in plan.opened})
        formers: dict[str, str] = {}
    else:
        below = cache(lambda path: _keyed_rows(session, under, path))
        shown = below if base else lambda path: effective(below(path), own(path))
        held = session.rows(_PLACES, *before[0].place) if base else ()
        rows = plan_overlay(plan_generation(shown, changes, keys), keys, below, own, held)
        formers = {c.path: row.key for c in changes if (row := _at(below, c.path)) is not None and row.key}
    session.run_many("UPDATE entries SET to_generation = ? WHERE id = ?", [(generation, i) for i in rows.closed])
    _open(session, view_id, generation, rows.opened, keys, formers)
    where = under or Layer(0, 0)
    session.run(
        "UPDATE generations SET base_view = ?, base_generation = ? WHERE view = ? AND generation = ?",
        where.view,
        where.generation,
        view_id,
        generation,
    )


def _open(
    session: Session,
    view_id: int,
    generation: int,
    opened: Mapping[Place, TreeEntry | None],
    keys: Mapping[str, str],
    formers: Mapping[str, str],
) -> None:
    directories = _directory_ids(session, sorted({directory for directory, _ in opened}))
    leaves = {_path(*place): e for place, e in opened.items() if e is not None and e.is_file}
    documents = _document_ids(session, leaves, keys, formers)
    session.insert(
        "entries",
        "view, directory, name, mode, oid, document, from_generation, to_generation",
        [
            (
                view_id,
                directories[directory],
                name,
                NOTHING if entry is None else entry.mode,
                b"" if entry is None else bytes.fromhex(entry.oid),
                documents.get(_path(directory, name)),
                generation,
                OPEN,
            )
            for (directory, name), entry in opened.items()
        ],
    )


def _path(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name


def _directory_ids(session: Session, paths: Sequence[str]) -> dict[str, int]:
    def insert(absent: list[str]) -> None:
        rows = [(path, path.rpartition("/")[2]) for path in absent]
        session.insert("directories", "path, name", rows, "ON CONFLICT DO NOTHING")

    return ensured(session, "SELECT path, id FROM directories WHERE path IN @texts", paths, insert)[0]


def _at(folder: Callable[[str], Directory], path: str) -> ManifestRow | None:
    directory, _, name = path.rpartition("/")
    return folder(directory).get(name)


def _document_ids(
    session: Session, leaves: Mapping[str, TreeEntry], keys: Mapping[str, str], formers: Mapping[str, str]
) -> dict[str, int]:
    """Document ids by path; one that isn't there yet gets a pending row, which knows the base's document at its place.

    `formers` are the keys of those.
    """
    wanted = {keys[path]: (path, entry.oid, int(entry.mode)) for path, entry in leaves.items()}
    found, absent = pending_documents(session, wanted)
    based = [(bytes.fromhex(formers[wanted[key][0]]), found[key]) for key in absent if wanted[key][0] in formers]
    session.run_many("UPDATE documents SET base = (SELECT f.id FROM documents f WHERE f.key = ?) WHERE id = ?", based)
    return {path: found[keys[path]] for path in leaves}


def pending_documents(session: Session, wanted: Mapping[str, tuple[str, str, int]]) -> tuple[dict[str, int], list[str]]:
    """Document ids by key, and the keys that were absent, which have pending rows now; wanted: path, blob, mode."""

    def insert(absent: list[str]) -> None:
        rows = [
            (bytes.fromhex(key), path, bytes.fromhex(blob), mode, codec.PENDING)
            for key, (path, blob, mode) in ((key, wanted[key]) for key in absent)
        ]
        session.insert("documents", "key, path, blob, mode, status", rows, "ON CONFLICT DO NOTHING")

    return ensured(session, "SELECT lower(hex(key)), id FROM documents WHERE key IN @hexes", wanted.keys(), insert)


class ManifestTree:
    """`TreeReader` over one generation of a view; without a view it is the empty tree."""

    def __init__(self, database: Database, view_id: int | None, generation: int) -> None:
        self._database, self._view, self._generation = database, view_id, generation

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        if oid == EMPTY_TREE or self._view is None:
            return ()
        with self._database.read() as session:
            rows = directory_rows(session, layers_of(session, self._view, self._generation), path)
        if not rows and path:
            raise TreeUnreadableError(f"the manifest has no directory '{path}' at generation {self._generation}")
        return tuple(sorted((row.entry for row in rows.values()), key=tree_order))
