"""The embedded catalog: both catalog ports on one SQLite file."""

from pathlib import Path

from headwater.domain.version import PipelineVersion
from headwater.stores.relational.catalog import RelationalCatalog
from headwater.stores.relational.reader import RelationalReader
from headwater.stores.sqlite.database import SqliteDatabase
from headwater.stores.sqlite.pin_files import PinFiles


class SqliteCatalog(RelationalCatalog, RelationalReader):
    """Implements `Catalog` and `IndexReader`. The file is made when it is absent.

    Several objects and processes may read one file; the first that writes holds the writer's lease until it is
    closed. Raises VersionMismatchError when the file was made with another pipeline version, text mode or schema.
    """

    def __init__(
        self,
        path: str | Path,
        version: PipelineVersion,
        *,
        store_text: bool = True,
        term_key: str = "",
        max_pages: int | None = None,
    ) -> None:
        database = SqliteDatabase(path, max_pages)
        database.prepare({"version": str(version), "text": "stored" if store_text else "pointers-only"})
        pins = PinFiles(Path(f"{path}.pins"))
        RelationalCatalog.__init__(self, database, pins, version, store_text, term_key)
        RelationalReader.__init__(self, database, pins, store_text, term_key)
