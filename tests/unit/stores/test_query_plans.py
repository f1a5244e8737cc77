"""The statements that run often use the index they were written for: SQLite plans them without statistics."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.stores.relational import listing, lookup, manifest, progress, retrieval
from headwater.stores.relational.database import Session
from headwater.stores.relational.layers import MASK, Layer
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.sample_documents import VERSION

OWN, BASE = Layer(1, 1), Layer(1, 1, 2, 1)
HIDES = "o USING INDEX entry_place (view=? AND directory=? AND name=? AND from_generation<?)"
SMALL = ("CO-ROUTINE", "SCAN s", "SCAN json_each", "SCAN d", "SCAN c", "VIRTUAL TABLE")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    catalog = SqliteCatalog(tmp_path / "catalog.db", VERSION)
    with catalog._database.read() as opened:
        yield opened
    catalog.close()


@pytest.mark.parametrize(
    ("sql", "indexes"),
    [
        (progress._PATHS_BY_BACKLOG.format(mask=""), ["document_pending", "entry_document (document=?)"]),
        (progress._paths_by_view(OWN), ["entry_opened (view=? AND from_generation>?"]),
        (
            progress._UNEMBEDDED_BY_BACKLOG.format(mask=""),
            ["content_waiting", "chunk_content (content=?)", "entry_document"],
        ),
        (progress._unembedded_by_view(OWN), ["entry_opened (view=? AND from_generation>?", "PRIMARY KEY (document=?)"]),
        (progress._PATHS_BY_BACKLOG.format(mask=MASK), ["document_pending", "entry_document", HIDES]),
        (progress._paths_by_view(BASE), ["entry_opened (view=? AND from_generation<?", HIDES]),
        (progress._UNEMBEDDED_BY_BACKLOG.format(mask=MASK), ["content_waiting", "chunk_content (content=?)", HIDES]),
        (progress._unembedded_by_view(BASE), ["entry_opened (view=? AND from_generation<?", HIDES]),
        (lookup._SYMBOLS, ["autoindex_names_1 (name=?)", "y USING PRIMARY KEY (name=?)", "entry_document"]),
        (lookup._USAGES, ["autoindex_names_1 (name=?)", "u USING PRIMARY KEY (name=?)", "entry_document"]),
        (lookup._IMPORTING, ["autoindex_names_1 (name=?)", "u USING PRIMARY KEY (name=?)", "entry_document"]),
        (retrieval._PLACES + "c.id IN @ints", ["chunk_content (content=?)", "entry_document (document=?)"]),
        (retrieval._PLACES + "c.hash IN @hexes", ["autoindex_contents_1 (hash=?)", "entry_document (document=?)"]),
        (retrieval._PLACES + "c.id IN @ints", [HIDES]),
        (retrieval._MASKED, ["entry_opened (view=?", "e USING INDEX entry_place (view=? AND directory=? AND name=?"]),
        (retrieval._ALL, ["entry_opened (view=?", "k USING PRIMARY KEY (document=?)"]),
        (retrieval._OPENED, ["entry_opened (view=? AND from_generation>? AND from_generation<?)"]),
        (retrieval._CLOSED, ["entry_closed (view=? AND to_generation>? AND to_generation<?)"]),
        (listing._FILE_AT, ["entry_place (view=? AND directory=? AND name=?"]),
        (listing._FILES_BELOW, ["entry_place (view=? AND directory=?"]),
        (listing._DOCUMENT_AT, ["entry_place (view=? AND directory=? AND name=?"]),
        (listing._PARKED, ["document_parked", "entry_document (document=?)"]),
        (listing._WITH_TEXT, ["document_text (text=?)", "entry_document (document=?)"]),
        (manifest._KEYED_DIRECTORY, ["entry_place (view=? AND directory=?"]),
        (manifest._PLACES, ["entry_opened (view=?"]),
        (manifest._DIRECTORY, ["entry_place (view=? AND directory=?"]),
    ],
)
def test_statements_use_their_indexes(session: Session, sql: str, indexes: list[str]) -> None:
    params = ["[]" if "@" in sql else 1] * (sql.count("?") + sql.count("@"))
    plan = [str(row[3]) for row in session.rows(f"EXPLAIN QUERY PLAN {sql}", *params)]
    for index in indexes:
        assert any(index in step for step in plan), plan
    scanned = [step for step in plan if step.startswith("SCAN") and not step.startswith(SMALL)]
    assert [s for s in scanned if "USING" not in s] == [], plan
