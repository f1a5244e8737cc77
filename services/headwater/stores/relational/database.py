"""What the relational catalog asks of a database: sessions, transactions, and the few things dialects spell apart."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]


class Session(Protocol):
    """Runs statements. Placeholders are `?`; a list or tuple of integers, texts or hex strings goes in as one JSON.

    The dialect spells these tokens, each of which takes one such parameter:
    `@ints`, `@texts` (a subselect of one column), `@hexes` (the same, hex decoded to bytes) and
    `@scope` (a table of columns i, view, generation from a list of [view, generation]).
    """

    def rows(self, sql: str, *params: Any) -> list[Row]: ...

    def run(self, sql: str, *params: Any) -> int:
        """Returns the number of rows changed."""
        ...

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None: ...


class NameIndex(Protocol):
    """Finds defined names by parts. Ids are those of table `names`."""

    def add(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        """Idempotent."""
        ...

    def remove(self, session: Session, names: Sequence[tuple[int, str]]) -> None: ...

    def folded(self, session: Session, name: str, limit: int) -> list[str]: ...

    def containing(self, session: Session, part: str, limit: int) -> list[str]: ...

    def with_parts(self, session: Session, parts: Sequence[str], limit: int) -> list[str]: ...


class TextIndex(Protocol):
    """Finds texts that may contain literals. Ids are those of table `texts`."""

    def add(self, session: Session, texts: Sequence[tuple[int, str]]) -> None: ...

    def remove(self, session: Session, ids: Sequence[int]) -> None: ...

    def candidates(self, session: Session, literals: Sequence[str]) -> list[int] | None:
        """Ids of a superset of the texts that contain every literal, ignoring case; None when nothing narrows."""
        ...


class Database(Protocol):
    """One database with the catalog's schema. Errors arrive as those of the catalog port."""

    @property
    def names(self) -> NameIndex: ...

    @property
    def texts(self) -> TextIndex: ...

    def read(self) -> AbstractContextManager[Session]:
        """A session of its own for one thread; what it sees is consistent until it is left."""
        ...

    def write(self) -> AbstractContextManager[Session]:
        """One durable transaction of the single writer; rolled back by any exception. Takes the lease when needed."""
        ...

    def compact(self) -> None:
        """Give freed space back."""
        ...

    def close(self) -> None: ...
