"""Proves the catalog against itself: documents, the manifests' links to them, and the indexes made of them."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from headwater.domain.tree import EMPTY_TREE
from headwater.domain.view import ViewKey
from headwater.stores.catalog import Damage, Proof, TakenBack
from headwater.stores.relational.database import Database, Session
from headwater.stores.relational.examination import AT_ONCE, examine
from headwater.stores.relational.ids import in_batches
from headwater.stores.relational.index_proof import TermSums, wrong_names, wrong_texts
from headwater.stores.relational.layers import Layer
from headwater.stores.relational.manifest import directory_rows
from headwater.stores.relational.manifest_plan import Directory, root_of
from headwater.stores.relational.taking_back import take_back

_TREE = 0o040000
_LINKS = f"""
SELECT e.id, coalesce(r.path, ''), e.name, coalesce(d.path, ''), coalesce(d.id, 0),
  CASE WHEN d.blob = e.oid THEN 1 ELSE 0 END
FROM entries e JOIN views v ON v.id = e.view AND v.deleted = 0 AND e.to_generation > v.published
LEFT JOIN directories r ON r.id = e.directory LEFT JOIN documents d ON d.id = e.document
WHERE e.id > ? AND e.mode NOT IN (0, {_TREE}) ORDER BY e.id LIMIT ?"""
_CONTENTS = "SELECT DISTINCT content FROM chunks WHERE document IN @ints"
_TEXTS = "SELECT DISTINCT text FROM documents WHERE id IN @ints AND text IS NOT NULL"
_STANDING = """
SELECT v.id, v.published, g.tree, v.repo, v.ref FROM views v
JOIN generations g ON g.view = v.id AND g.generation = v.published
WHERE v.deleted = 0 AND v.published = v.opened AND g.base_view = 0"""
_VIEWS = "SELECT DISTINCT v.repo, v.ref FROM entries e JOIN views v ON v.id = e.view WHERE e.id IN @ints"
_UNMARKED = """
SELECT c.id FROM contents c WHERE c.embedded = 0 AND EXISTS(
  SELECT 1 FROM chunks k JOIN entries e ON e.document = k.document JOIN views v ON v.id = e.view
  WHERE k.content = c.id AND v.vector_complete = 1 AND v.published = v.opened AND e.to_generation > v.published)"""


def prove_some(session: Session, after: int, limit: int, store_text: bool, term_key: str) -> Proof:
    sound, damages, last = examine(session, after, limit, store_text, term_key)
    return Proof(len(sound) + len(damages), tuple(damages), last)


def prove_all(database: Database, session: Session, store_text: bool, term_key: str) -> Proof:
    """See `Catalog.prove_all`."""
    count, last, damages, words, texts = 0, 0, list[Damage](), TermSums(), set[int]()
    while True:
        sound, found, last = examine(session, last, AT_ONCE, store_text, term_key)
        damages += found
        count += len(sound) + len(found)
        for examined in sound:
            if store_text:
                words.add(examined)
            if examined.text_id is not None:
                texts.add(examined.text_id)
        if not last:
            break
    damages += _links(session)
    damages += [Damage("postings", i) for i in sorted(words.wrong(session))]
    damages += [Damage("text_grams", i) for i in sorted(wrong_texts(database, session, texts))]
    damages += [Damage("defined_names", i, name) for i, name in sorted(wrong_names(database, session).items())]
    damages += [Damage("embedded", i) for (i,) in session.rows(_UNMARKED)]
    return Proof(count, tuple(damages))


def prove_folders(session: Session, after: int, limit: int) -> tuple[set[ViewKey], int]:
    """See `Catalog.prove_folders`."""
    folders = session.rows("SELECT id, path FROM directories WHERE id > ? ORDER BY id LIMIT ?", after, limit)
    wrong: set[ViewKey] = set()
    for view_id, generation, tree, repo, ref in session.rows(_STANDING):
        read = cache(partial(directory_rows, session, (Layer(view_id, generation),)))
        if any(root_of(read(path)) != _named(read, path, tree) for _, path in folders):
            wrong.add(ViewKey(repo, ref))
    return wrong, folders[-1][0] if len(folders) == limit else 0


def _named(read: Callable[[str], Directory], path: str, tree: str) -> str:
    """The id by which the folder is known to the one that it is in; that of nothing where it isn't."""
    if not path:
        return tree
    parent, _, name = path.rpartition("/")
    row = read(parent).get(name)
    return row.entry.oid if row is not None and row.entry.is_tree else EMPTY_TREE


def take_back_damaged(database: Database, session: Session, damages: Sequence[Damage]) -> TakenBack:
    """See `Catalog.take_back`. A document whose own row is wrong goes: manifests lead nowhere until rewritten."""
    by: dict[str, list[int]] = {}
    for damage in damages:
        by.setdefault(damage.table, []).append(damage.id)
    documents = {i for table in _OF_DOCUMENTS for i in by.get(table, ())}
    contents = {*by.get("postings", ()), *_ids(session, _CONTENTS, [*by.get("chunks", ()), *by.get("contents", ())])}
    texts = {*by.get("text_grams", ()), *_ids(session, _TEXTS, by.get("texts", ()))}
    names = [(d.id, d.path) for d in damages if d.table == "defined_names"]
    database.names.remove(session, names)
    database.names.add(session, names)
    database.names.drop_nameless(session)
    paths = take_back(database, session, documents, contents, texts)
    session.run("DELETE FROM documents WHERE id IN @ints", by.get("documents", []))
    broken = {damage.id for damage in _links(session)}
    found = [row for batch in in_batches(sorted(broken)) for row in session.rows(_VIEWS, list(batch))]
    return TakenBack(tuple(paths), tuple(sorted({ViewKey(repo, ref) for repo, ref in found})))


_OF_DOCUMENTS = ("documents", "bodies", "texts", "symbols", "usages", "chunks", "contents")


def _links(session: Session) -> Iterator[Damage]:
    """Entries that lead to no document, or to that of another file."""
    last = 0
    while rows := session.rows(_LINKS, last, 5_000):
        last = rows[-1][0]
        for i, directory, name, path, document, same_blob in rows:
            full = f"{directory}/{name}" if directory else name
            if not document or path != full or not same_blob:
                yield Damage("entries", i, full)


def _ids(session: Session, sql: str, ids: Sequence[int]) -> list[int]:
    return [i for batch in in_batches(ids) for (i,) in session.rows(sql, batch)]
