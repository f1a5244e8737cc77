"""Rows that were deleted, altered or swapped behind the catalog's back: found by their table, and made again."""

from pathlib import Path

import pytest

from headwater.domain.merkle import recompute_root
from headwater.domain.tree import TreeUnreadableError
from headwater.embedded.comparison import IndexedTree, differences
from headwater.stores.relational.catalog import RelationalCatalog
from support.catalogs import MAIN, CatalogRig, NewStore
from support.git_repo import Files

FILES: Files = {
    f"src/m{n}.py": (
        f"from lib import part_{n}\n\ndef handle_{n}(request):\n    return part_{n}(request, helper_{n + 1})\n\n"
        f"class Holder{n}:\n    def get_value_{n}(self):\n        return {n}\n"
    ).encode()
    for n in range(6)
} | {"bin/data.bin": b"\xff\xfe\x00" * 9}
ONE, OTHER = (
    "(SELECT id FROM documents WHERE path = 'src/m1.py')",
    "(SELECT id FROM documents WHERE path = 'src/m3.py')",
)
TEXT_1, TEXT_3 = (f"(SELECT text FROM documents WHERE path = 'src/m{n}.py')" for n in (1, 3))
CONTENT_1 = f"(SELECT min(content) FROM chunks WHERE document = {ONE})"
DEFINED_1 = "(SELECT id FROM defined_names WHERE folded = 'handle_1')"
BLOCK_1 = f"{ONE} * 4096"
NAME_1, NAME_3 = "(SELECT id FROM names WHERE name = 'handle_1')", "(SELECT id FROM names WHERE name = 'handle_3')"


def swapped(table: str, column: str, key: str, one: str, other: str) -> list[str]:
    """Statements that swap a column of two rows without ever breaking a unique index."""
    value = f"(SELECT {column} FROM {table} WHERE {key} = {{}})"
    return [
        f"CREATE TABLE kept AS SELECT {value.format(one)} AS one, {value.format(other)} AS other",
        f"UPDATE {table} SET {column} = CASE {key} WHEN {one} THEN (SELECT other FROM kept) ELSE (SELECT one FROM kept)"
        f" END WHERE {key} IN ({one}, {other})",
        "DROP TABLE kept",
    ]


DAMAGES: dict[str, list[str]] = {
    "documents altered": [f"UPDATE documents SET language = 'cobol' WHERE id = {ONE}"],
    "documents text swapped": swapped("documents", "text", "id", ONE, OTHER),
    "documents blob altered": [
        f"UPDATE documents SET blob = (SELECT blob FROM documents WHERE id = {OTHER}) WHERE id = {ONE}"
    ],
    "documents deleted": [f"DELETE FROM documents WHERE id = {ONE}"],
    "bodies deleted": [f"DELETE FROM bodies WHERE document = {ONE}"],
    "bodies head swapped": swapped("bodies", "head", "document", ONE, OTHER),
    "bodies symbols swapped": swapped("bodies", "symbols", "document", ONE, OTHER),
    "bodies chunks swapped": swapped("bodies", "chunks", "document", ONE, OTHER),
    "texts deleted": [f"DELETE FROM texts WHERE id = {TEXT_1}"],
    "texts swapped": swapped("texts", "body", "id", TEXT_1, TEXT_3),
    "chunks deleted": [f"DELETE FROM chunks WHERE document = {ONE} AND ordinal = 0"],
    "chunks altered": [f"UPDATE chunks SET content = content + 1 WHERE document = {ONE}"],
    "contents deleted": [f"DELETE FROM contents WHERE id = {CONTENT_1}"],
    "contents length altered": [f"UPDATE contents SET length = 3 WHERE id = {CONTENT_1}"],
    "contents mark altered": [f"UPDATE contents SET embedded = 0 WHERE id = {CONTENT_1}"],
    "symbols deleted": [f"DELETE FROM symbols WHERE document = {ONE}"],
    "symbols altered": [f"UPDATE symbols SET line = 77 WHERE document = {ONE}"],
    "symbols swapped": [f"UPDATE symbols SET name = {NAME_3} WHERE document = {ONE} AND name = {NAME_1}"],
    "usages deleted": [f"DELETE FROM usages WHERE document = {ONE}"],
    "usages altered": [f"UPDATE usages SET block = 3 WHERE document = {ONE}"],
    "usage_blocks deleted": [f"DELETE FROM usage_blocks WHERE id = {BLOCK_1}"],
    "usage_blocks swapped": swapped("usage_blocks", "data", "id", BLOCK_1, f"{OTHER} * 4096"),
    "names altered": [f"UPDATE names SET name = 'hxndle_1' WHERE id = {NAME_1}"],
    "names deleted": [f"DELETE FROM names WHERE id = {NAME_1}"],
    "defined_names deleted": ["DELETE FROM defined_names WHERE folded = 'handle_1'"],
    "defined_names altered": ["UPDATE defined_names SET folded = 'hxndle_1' WHERE folded = 'handle_1'"],
    "entries deleted": ["DELETE FROM entries WHERE name = 'm1.py'"],
    "entries altered": ["UPDATE entries SET oid = (SELECT oid FROM entries WHERE name = 'm3.py') WHERE name = 'm1.py'"],
    "entries swapped": swapped("entries", "document", "name", "'m1.py'", "'m3.py'"),
    "directories altered": ["UPDATE directories SET path = 'scr', name = 'scr' WHERE path = 'src'"],
}
OF_SQLITE = {
    "postings deleted": ["DELETE FROM postings WHERE term = 'handle'"],
    "postings truncated": ["UPDATE postings SET data = substr(data, 1, length(data) - 3) WHERE term = 'handle'"],
    "postings altered": ["UPDATE postings SET data = zeroblob(length(data)) WHERE term = 'value'"],
    "text_grams deleted": [f"DELETE FROM text_grams WHERE rowid = {TEXT_1}"],
    "name_grams deleted": [f"DELETE FROM name_grams WHERE rowid = {DEFINED_1}"],
    "name_parts deleted": [f"DELETE FROM name_parts WHERE rowid = {DEFINED_1}"],
}
OF_POSTGRES = {
    "term_log deleted": ["DELETE FROM term_log WHERE key = 'handle'"],
    "term_log truncated": ["UPDATE term_log SET data = substr(data, 1, octet_length(data) - 3) WHERE key = 'handle'"],
    "gram_log deleted": ["DELETE FROM gram_log WHERE key IN (SELECT min(key) FROM gram_log)"],
}


def root_of(catalog: RelationalCatalog) -> str:
    state = catalog.view(MAIN)
    assert state is not None
    try:
        return recompute_root(catalog.tree_reader(MAIN, state.published))
    except TreeUnreadableError:
        return ""


@pytest.mark.parametrize("name", [*DAMAGES, *OF_SQLITE, *OF_POSTGRES])
def test_s11_damaged_rows_are_found_and_made_again(new_store: NewStore, tmp_path: Path, name: str) -> None:
    (tmp_path / "fresh").mkdir()
    store, other = new_store(tmp_path), new_store(tmp_path / "fresh")
    catalog, fresh = store(), CatalogRig(other(), tmp_path / "fresh")
    assert isinstance(catalog, RelationalCatalog)
    sqlite = type(catalog).__name__ == "SqliteCatalog"
    statements = (DAMAGES | (OF_SQLITE if sqlite else OF_POSTGRES)).get(name)
    if statements is None:
        pytest.skip("a table of the other database")
    rig = CatalogRig(catalog, tmp_path)
    for one in (rig, fresh):
        one.push(FILES)
    assert catalog.prove_all().damages == ()
    whole = root_of(catalog)

    catalog._database.write(lambda session: [session.run(statement) for statement in statements])
    damages = catalog.prove_all().damages
    assert damages or root_of(catalog) != whole
    taken = catalog.take_back(damages)
    if root_of(catalog) != whole or taken.views:
        catalog.delete_view(MAIN)
        rig.open(FILES)
        rig.put(FILES)
    rig.put({path: content for path, content in FILES.items() if path in taken.paths})
    state = catalog.view(MAIN)
    assert state is not None
    catalog.publish(MAIN, state.opened, True, 3.0)
    rig.put(FILES)

    assert catalog.prove_all().damages == ()
    assert root_of(catalog) == whole
    with rig.pin() as ours, fresh.pin() as theirs:
        assert list(differences(IndexedTree(catalog, ours), IndexedTree(fresh.catalog, theirs))) == []
        for term in ("handle", "value", "part"):
            one, two = (
                {(r.document.path, round(r.score, 6)) for r in c.lexical(scope, [term], 50)}
                for c, scope in ((catalog, ours), (fresh.catalog, theirs))
            )
            assert one == two
        assert catalog.names_containing("andle", 50) == fresh.catalog.names_containing("andle", 50)
    store.close()
    other.close()
