"""The deployed system's catalog: both catalog ports on PostgreSQL."""

from headwater.domain.version import PipelineVersion
from headwater.stores.postgres.database import PostgresDatabase, PostgresSettings
from headwater.stores.postgres.pins import AdvisoryPins
from headwater.stores.relational.catalog import RelationalCatalog
from headwater.stores.relational.reader import RelationalReader


class PostgresCatalog(RelationalCatalog, RelationalReader):
    """Implements `Catalog` and `IndexReader` for any number of processes that read and write at the same time.

    `url` is a libpq connection string. The catalog is the schema `name` of that database, made when it is absent,
    which takes the right to create it and the extension pg_trgm. Raises VersionMismatchError when the schema was made
    with another pipeline version, text mode or schema version, CatalogUnavailableError when there is no server.
    """

    def __init__(
        self,
        url: str,
        version: PipelineVersion,
        *,
        store_text: bool = True,
        term_key: str = "",
        name: str = "headwater",
        settings: PostgresSettings | None = None,
    ) -> None:
        database = PostgresDatabase(url, settings or PostgresSettings(), name)
        database.prepare({"version": str(version), "text": "stored" if store_text else "pointers-only"})
        pins = AdvisoryPins(database.lone)
        RelationalCatalog.__init__(self, database, pins, version, store_text, term_key)
        RelationalReader.__init__(self, database, pins, store_text, term_key)
