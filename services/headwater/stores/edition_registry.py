"""The port of the one row that says which editions of the index there are and which of them is live."""

from typing import Protocol

from headwater.domain.edition import Change, Editions


class EditionRegistry(Protocol):
    """Read by every process, changed by one at a time. Raises CatalogUnavailableError."""

    def read(self) -> Editions:
        """What the last change left; nothing before the first."""
        ...

    def change(self, change: Change) -> Editions:
        """Atomic, and durable when it returns; what `change` raises passes and changes nothing."""
        ...

    def close(self) -> None: ...
