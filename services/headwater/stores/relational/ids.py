"""Ids are given out by the single writer from counters, so that rows can be planned before they are written."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from headwater.stores.relational.database import Session

T = TypeVar("T")
_BATCH = 5_000


def allocate(session: Session, counter: str, count: int) -> range:
    """`count` new ids of a kind; ids are never given out twice."""
    if not count:
        return range(0)
    rows = session.rows("UPDATE counters SET value = value + ? WHERE name = ? RETURNING value", count, counter)
    last = int(rows[0][0])
    return range(last - count + 1, last + 1)


def counter(session: Session, name: str) -> int:
    return int(session.rows("SELECT value FROM counters WHERE name = ?", name)[0][0])


def in_batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Parameters of a statement stay within what a server takes."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]
