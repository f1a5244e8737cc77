"""Compiler-made indexes on PostgreSQL: a table that all editions and services of the database share."""

from headwater.domain.scip.compiled import Compiled, CompiledIndex
from headwater.stores.compiled_indexes import COMMITS_KEPT, OpenIndexes, packed
from headwater.stores.postgres.database import PostgresDatabase, PostgresSettings
from headwater.stores.postgres.shared_table import SharedTable
from headwater.stores.relational.database import Session

_TABLE = "public.headwater_compiled_indexes"
_COLUMNS = """
  catalog text NOT NULL, repo text COLLATE "C" NOT NULL, commit_id text NOT NULL,
  imported bigint GENERATED ALWAYS AS IDENTITY, body bytea NOT NULL, PRIMARY KEY(catalog, repo, commit_id)"""
_DROP_OLD = f"""
DELETE FROM {_TABLE} WHERE catalog = ? AND repo = ? AND imported <= (
  SELECT imported FROM {_TABLE} WHERE catalog = ? AND repo = ? ORDER BY imported DESC OFFSET {COMMITS_KEPT} LIMIT 1)"""


class PostgresCompiledIndexes:
    """Implements `CompiledIndexes`. `name` is the catalog's. Raises CatalogUnavailableError."""

    def __init__(self, url: str, name: str = "headwater") -> None:
        self._database = PostgresDatabase(url, PostgresSettings(connections=4), f"{name}_compiled")
        self._name, self._table, self._open = name, SharedTable(_TABLE, _COLUMNS), OpenIndexes()

    def put(self, repo: str, commit: str, index: CompiledIndex) -> None:
        """See `CompiledIndexes`."""
        body = packed(index)

        def work(session: Session) -> None:
            self._table.lock(session)
            session.run(f"DELETE FROM {_TABLE} WHERE catalog = ? AND repo = ? AND commit_id = ?", *place)
            session.run(f"INSERT INTO {_TABLE}(catalog, repo, commit_id, body) VALUES(?, ?, ?, ?)", *place, body)
            session.run(_DROP_OLD, self._name, repo, self._name, repo)

        place = (self._name, repo, commit)
        self._database.write(work, alone=True)

    def get(self, repo: str, commit: str) -> Compiled | None:
        where, place = "catalog = ? AND repo = ? AND commit_id = ?", (self._name, repo, commit)
        with self._database.read() as session:
            if not self._table.is_made(session):
                return None
            rows = session.rows(f"SELECT imported FROM {_TABLE} WHERE {where}", *place)
            if not rows:
                return None

            def body() -> bytes:
                return bytes(session.rows(f"SELECT body FROM {_TABLE} WHERE {where}", *place)[0][0])

            return self._open.get(repo, commit, rows[0][0], body)

    def close(self) -> None:
        self._database.close()
