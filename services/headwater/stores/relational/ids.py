"""Ids: found by key, or given out by the database to keys that have none."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from headwater.stores.relational.database import Session

T = TypeVar("T")
_BATCH = 5_000


def ids_of(session: Session, select: str, keys: Sequence[str]) -> dict[str, int]:
    """What `select`, a statement of (key, id) over a batch of keys, finds."""
    found: dict[str, int] = {}
    for batch in in_batches(keys):
        found.update(session.rows(select, batch))
    return found


def ensured(
    session: Session, select: str, keys: Collection[str], insert: Callable[[list[str]], None]
) -> tuple[dict[str, int], list[str]]:
    """Ids by key, and the keys that `insert` was given to add, in order; another writer may have been faster."""
    ordered = sorted(keys)
    found = ids_of(session, select, ordered)
    absent = [key for key in ordered if key not in found]
    if absent:
        insert(absent)
        found.update(ids_of(session, select, absent))
    return found, absent


def counter(session: Session, name: str) -> int:
    return int(session.rows("SELECT value FROM counters WHERE name = ?", name)[0][0])


def in_batches(values: Sequence[T], size: int = _BATCH) -> Iterator[Sequence[T]]:
    """Parameters of a statement stay within what a server takes."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
