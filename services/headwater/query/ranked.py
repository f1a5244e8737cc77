"""A ranked list before hydration, and the cache that keeps it for the pages that follow."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import msgspec

from headwater.domain.answer import QueryKind, Result
from headwater.domain.grants import Grants
from headwater.metrics import METRICS
from headwater.query.access import Access
from headwater.query.hydrate import chunk_result, file_result, symbol_result
from headwater.query.page_token import Generations
from headwater.query.usages import Found, usage_result_of
from headwater.stores.index_reader import ChunkRow, DocumentRow, Scope, SymbolRow

_Key = tuple[str, Generations, Grants]


class Ranked(msgspec.Struct, frozen=True):
    """One place of the ranked list; `Result` where hydration was part of finding it."""

    row: ChunkRow | SymbolRow | DocumentRow | Found | Result
    score: float
    retrievers: tuple[str, ...]
    duplicates: int = 0


class RankedList(msgspec.Struct, frozen=True):
    """A whole answer in its final order, and the scope that its rows refer to."""

    items: tuple[Ranked, ...]
    kind: QueryKind
    scope: Scope = ()
    complete: bool = True
    degraded: tuple[str, ...] = ()


def hydrated(access: Access, items: Sequence[Ranked]) -> tuple[Result, ...]:
    """Results of a page, their texts got at once."""
    access.prepare(row for item in items if (row := document_of(item)) is not None)
    return tuple(hydrate(access, item) for item in items)


def document_of(item: Ranked) -> DocumentRow | None:
    """The document that an item is in; None where its text is there already."""
    row = item.row
    if isinstance(row, DocumentRow):
        return row
    if isinstance(row, Found):
        return row.row
    return None if isinstance(row, Result) else row.document


def hydrate(access: Access, item: Ranked) -> Result:
    row, score, retrievers = item.row, round(item.score, 6), item.retrievers
    if isinstance(row, Result):
        return row
    if isinstance(row, Found):
        return usage_result_of(access, row)
    if isinstance(row, ChunkRow):
        return chunk_result(access, row, score=score, retrievers=retrievers, duplicates=item.duplicates)
    if isinstance(row, SymbolRow):
        return symbol_result(access, row.document, row.symbol, score=score, retrievers=retrievers)
    return file_result(access, row, score)


class RankedCache:
    """Lists that a page token may come back for. A restart or eviction only costs ranking again.

    A list belongs to the grants that it was ranked under: once they change, it is ranked again.
    """

    def __init__(
        self, keep: int = 256, ttl_s: float = float("inf"), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._keep, self._ttl_s, self._clock, self._lock = keep, ttl_s, clock, Lock()
        self._lists: OrderedDict[_Key, tuple[float, RankedList]] = OrderedDict()

    def get(self, fingerprint: str, generations: Generations, grants: Grants) -> RankedList | None:
        key = (fingerprint, generations, grants)
        with self._lock:
            made_at, found = self._lists.get(key, (0.0, None))
            if found is None or self._clock() - made_at >= self._ttl_s:
                self._lists.pop(key, None)
                found = None
            else:
                self._lists.move_to_end(key)
        METRICS.count("headwater_query_cache_total", cache="ranked", outcome="miss" if found is None else "hit")
        return found

    def put(self, fingerprint: str, generations: Generations, grants: Grants, ranked: RankedList) -> None:
        with self._lock:
            self._lists[fingerprint, generations, grants] = (self._clock(), ranked)
            while len(self._lists) > self._keep:
                self._lists.popitem(last=False)
