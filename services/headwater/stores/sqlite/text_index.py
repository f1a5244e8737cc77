"""Which texts may contain a literal: FTS5 trigrams of the case-folded text, without positions."""

from collections.abc import Sequence

from headwater.stores.relational.database import Session
from headwater.stores.relational.folding import fold
from headwater.stores.sqlite.fts_proof import wrong_rows
from headwater.stores.sqlite.name_index import gram_query
from headwater.stores.sqlite.schema import TEXT_GRAMS


class SqliteTextIndex:
    """`TextIndex` over the table text_grams."""

    def add(self, session: Session, texts: Sequence[tuple[int, str]]) -> None:
        session.run_many("INSERT INTO text_grams(rowid, text) VALUES(?, ?)", ((i, fold(text)) for i, text in texts))

    def remove(self, session: Session, ids: Sequence[int]) -> None:
        session.run_many("DELETE FROM text_grams WHERE rowid = ?", [(i,) for i in ids])

    def wrong(self, session: Session, texts: Sequence[tuple[int, str]]) -> set[int]:
        return wrong_rows(session, "text_grams", TEXT_GRAMS, [(i, fold(text)) for i, text in texts], "term")

    def candidates(self, session: Session, literals: Sequence[str]) -> list[int] | None:
        query = gram_query([fold(literal) for literal in literals])
        if not query:
            return None
        return [i for (i,) in session.rows("SELECT rowid FROM text_grams WHERE text_grams MATCH ?", query)]
