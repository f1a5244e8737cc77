"""The manifest in the database: reading directories, and writing what `plan_generation` decided."""

from collections.abc import Mapping, Sequence

from headwater.domain.document import document_key
from headwater.domain.merkle import EntryChange
from headwater.domain.path import path_to_git
from headwater.domain.tree import EMPTY_TREE, TreeEntry, TreeUnreadableError
from headwater.stores.relational import codec
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.ids import ensured
from headwater.stores.relational.manifest_plan import (
    Directory,
    ManifestRow,
    OpenedEntry,
    plan_generation,
    root_of,
)

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


def _keyed_rows(session: Session, view_id: int, generation: int, path: str) -> Directory:
    """The same, with the keys of the entries' documents."""
    rows = session.rows(_KEYED_DIRECTORY, view_id, path, generation, generation)
    return {name: ManifestRow(i, TreeEntry(mode, name, oid), key) for i, mode, name, oid, key in rows}


def directory_rows(session: Session, view_id: int, generation: int, path: str) -> Directory:
    """The entries of one directory as of a generation."""
    rows = session.rows(_DIRECTORY, view_id, path, generation, generation)
    return {name: ManifestRow(i, TreeEntry(mode, name, oid)) for i, mode, name, oid in rows}


def stored_root(session: Session, view_id: int, generation: int) -> str:
    """The root tree id, hashed from the root directory's rows."""
    return root_of(directory_rows(session, view_id, generation, ""))


def write_generation(
    session: Session, view_id: int, generation: int, changes: Sequence[EntryChange], version: str
) -> None:
    """Close and open the rows by which `generation` differs from the one before."""
    before = generation - 1
    keys = {
        c.path: document_key(c.path, c.new.oid, c.new.mode, version, c.variant) for c in changes if c.new is not None
    }
    plan = plan_generation(lambda path: _keyed_rows(session, view_id, before, path), changes, keys)
    session.run_many("UPDATE entries SET to_generation = ? WHERE id = ?", [(generation, i) for i in plan.closed])
    directories = _directory_ids(session, sorted({o.directory for o in plan.opened}))
    documents = _document_ids(session, [o for o in plan.opened if not o.entry.is_tree], keys)
    session.insert(
        "entries",
        "view, directory, name, mode, oid, document, from_generation, to_generation",
        [
            (
                view_id,
                directories[o.directory],
                o.entry.name,
                o.entry.mode,
                bytes.fromhex(o.entry.oid),
                documents.get(_path(o)) if not o.entry.is_tree else None,
                generation,
                OPEN,
            )
            for o in plan.opened
        ],
    )


def _path(opened: OpenedEntry) -> str:
    return f"{opened.directory}/{opened.entry.name}" if opened.directory else opened.entry.name


def _directory_ids(session: Session, paths: Sequence[str]) -> dict[str, int]:
    def insert(absent: list[str]) -> None:
        session.insert("directories", "path", [(path,) for path in absent], "ON CONFLICT DO NOTHING")

    return ensured(session, "SELECT path, id FROM directories WHERE path IN @texts", paths, insert)[0]


def _document_ids(session: Session, leaves: Sequence[OpenedEntry], keys: Mapping[str, str]) -> dict[str, int]:
    """Document ids by path; a document that isn't there yet gets a pending row."""
    by_key = {keys[_path(o)]: o for o in leaves}
    found, _ = pending_documents(session, {key: (_path(o), o.entry.oid, o.entry.mode) for key, o in by_key.items()})
    return {_path(opened): found[key] for key, opened in by_key.items()}


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
            rows = directory_rows(session, self._view, self._generation, path)
        if not rows and path:
            raise TreeUnreadableError(f"the manifest has no directory '{path}' at generation {self._generation}")
        return tuple(sorted((row.entry for row in rows.values()), key=_git_order))


def _git_order(entry: TreeEntry) -> bytes:
    return path_to_git(entry.name) + (b"/" if entry.is_tree else b"")
