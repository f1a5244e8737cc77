"""The catalog that a service reads and writes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Protocol

import msgspec

from headwater.domain.view import ViewState
from headwater.settings import load_settings
from headwater.stores.catalog import Catalog
from headwater.stores.index_reader import IndexReader

if TYPE_CHECKING:
    from headwater.stores.postgres.compiled_indexes import PostgresCompiledIndexes

Meta = msgspec.Meta


class CatalogSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_CATALOG_…"""

    url: Annotated[str, Meta(description="postgresql://user@host:port/database", pattern="^postgres(ql)?://")]


class WholeCatalog(Catalog, IndexReader, Protocol):
    """Both sides of the catalog."""

    def views(self) -> list[ViewState]: ...


def open_compiled_indexes(environ: Mapping[str, str]) -> "PostgresCompiledIndexes":
    """Compiler-made indexes of commits. Raises SettingsError."""
    from headwater.stores.postgres.compiled_indexes import PostgresCompiledIndexes

    return PostgresCompiledIndexes(load_settings(CatalogSettings, "catalog", environ).url)
