"""The catalog that a service reads and writes."""

from typing import Annotated, Protocol

import msgspec

from headwater.domain.view import ViewState
from headwater.stores.catalog import Catalog
from headwater.stores.index_reader import IndexReader

Meta = msgspec.Meta


class CatalogSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_CATALOG_…"""

    url: Annotated[str, Meta(description="postgresql://user@host:port/database", pattern="^postgres(ql)?://")]


class WholeCatalog(Catalog, IndexReader, Protocol):
    """Both sides of the catalog."""

    def views(self) -> list[ViewState]: ...
