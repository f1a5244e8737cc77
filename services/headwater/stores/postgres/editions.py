"""The editions of a catalog on PostgreSQL: one row of a table that all catalogs of the database share."""

import msgspec

from headwater.domain.edition import Change, Editions
from headwater.stores.catalog import CatalogCorruptError
from headwater.stores.postgres.database import PostgresDatabase, PostgresSettings
from headwater.stores.postgres.shared_table import SharedTable
from headwater.stores.relational.database import Session

_TABLE = "public.headwater_editions"
_COLUMNS = "catalog text PRIMARY KEY, body text NOT NULL"
_KEEP = f"INSERT INTO {_TABLE}(catalog, body) VALUES(?, ?) ON CONFLICT(catalog) DO UPDATE SET body = excluded.body"


class PostgresEditions:
    """Implements `EditionRegistry`. `name` is the catalog's; its schemas are those of `schema_name`."""

    def __init__(self, url: str, name: str = "headwater") -> None:
        # A database of its own name, so that no long write to the catalog is waited for.
        self._database = PostgresDatabase(url, PostgresSettings(connections=4), f"{name}_editions")
        self._name, self._table = name, SharedTable(_TABLE, _COLUMNS)

    def read(self) -> Editions:
        with self._database.read() as session:
            return self._read(session) if self._table.is_made(session) else Editions()

    def change(self, change: Change) -> Editions:
        def work(session: Session) -> Editions:
            self._table.lock(session)
            before = self._read(session)
            after = change(before)
            if after != before:
                session.run(_KEEP, self._name, msgspec.json.encode(after).decode())
            return after

        return self._database.write(work, alone=True)

    def close(self) -> None:
        self._database.close()

    def _read(self, session: Session) -> Editions:
        rows = session.rows(f"SELECT body FROM {_TABLE} WHERE catalog = ?", self._name)
        try:
            return msgspec.json.decode(rows[0][0], type=Editions) if rows else Editions()
        except msgspec.DecodeError as error:
            raise CatalogCorruptError(
                f"the editions of {self._name} can't be read ({error}): restore {_TABLE}"
            ) from error


def schema_name(number: int, name: str = "headwater") -> str:
    """The schema that holds an edition: the first has the catalog's own name."""
    return name if number == 1 else f"{name}_{number}"
