"""What the relational catalog asks of a database: sessions, transactions, and the few things dialects spell apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Row = tuple[Any, ...]
LOCK_ORDER = ("views", "directories", "documents", "names", "contents", "texts")


class Session(Protocol):
    """Runs statements. Placeholders are `?`; a list or tuple of integers, texts or hex strings goes in as one JSON.

    The dialect spells these tokens, each of which takes one such parameter:
    `IN @ints`, `IN @texts`, `IN @hexes` (hex decoded to bytes) and `@scope` (a table of columns i, view, generation,
    above, above_generation from a list of such lists). `@locked`, which takes none, ends a SELECT that keeps other
    writers from the rows it returns, in their order, until the transaction ends.
    """

    def rows(self, sql: str, *params: Any) -> list[Row]: ...

    def run(self, sql: str, *params: Any) -> int:
        """Returns the number of rows changed."""
        ...

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None: ...

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], conflict: str = "") -> None:
        """Add rows in bulk and in order; `conflict` is an ON CONFLICT clause. Absent ids are given out, never twice."""
        ...


class TermIndex(Protocol):
    """Packed postings by term, readable as table `postings`(term, data)."""

    def add(self, session: Session, postings: Mapping[str, bytes]) -> None: ...

    def sweep(self, session: Session, alive: npt.NDArray[np.bool_]) -> None:
        """Drop the postings of contents that are not alive."""
        ...

    def drop_malformed(self, session: Session) -> None:
        """Blocks that can't be read go, with what is in them."""
        ...


class NameIndex(Protocol):
    """Finds defined names by parts. Ids are those of table `names`."""

    def add(self, session: Session, names: Sequence[tuple[int, str]]) -> None:
        """Idempotent."""
        ...

    def remove(self, session: Session, names: Sequence[tuple[int, str]]) -> None: ...

    def drop_nameless(self, session: Session) -> None:
        """What leads to no name (any more) goes."""
        ...

    def wrong(self, session: Session, names: Sequence[tuple[int, str]]) -> set[int]:
        """Ids of those that wouldn't be found as they should."""
        ...

    def folded(self, session: Session, name: str, limit: int) -> list[str]: ...

    def containing(self, session: Session, part: str, limit: int) -> list[str]: ...

    def with_parts(self, session: Session, parts: Sequence[str], limit: int) -> list[str]: ...


class TextIndex(Protocol):
    """Finds texts that may contain literals. Ids are those of table `texts`."""

    def add(self, session: Session, texts: Sequence[tuple[int, str]]) -> None: ...

    def remove(self, session: Session, ids: Sequence[int]) -> None: ...

    def wrong(self, session: Session, texts: Sequence[tuple[int, str]]) -> set[int]:
        """Ids of those that wouldn't be found by their trigrams, and by these alone."""
        ...

    def candidates(self, session: Session, literals: Sequence[str]) -> list[int] | None:
        """Ids of a superset of the texts that contain every literal, ignoring case; None when nothing narrows."""
        ...


class Database(Protocol):
    """One database with the catalog's schema. Errors arrive as those of the catalog port."""

    @property
    def terms(self) -> TermIndex: ...

    @property
    def names(self) -> NameIndex: ...

    @property
    def texts(self) -> TextIndex: ...

    def read(self) -> AbstractContextManager[Session]:
        """A session of its own for one thread; what it sees is consistent until it is left."""
        ...

    def write(self, work: Callable[[Session], T], *, alone: bool = False) -> T:
        """Run `work` as one durable transaction, rolled back by any exception.

        Where several may write at a time, `work` runs again when it got in another writer's way, so it must have no
        other effect; it locks rows in the order of `LOCK_ORDER`, those of a table by their key. `alone` keeps all other
        writers out.
        """
        ...

    def size(self) -> int:
        """Bytes on disk."""
        ...

    def compact(self) -> None:
        """Give freed space back and tidy the indexes up."""
        ...

    def close(self) -> None: ...
