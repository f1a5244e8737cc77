"""A ranked list before hydration, and the cache that keeps it for the pages that follow."""

from collections import OrderedDict
from threading import Lock

import msgspec

from headwater.domain.answer import QueryKind, Result
from headwater.domain.grants import Grants
from headwater.metrics import METRICS
from headwater.query.access import Access
from headwater.query.hydrate import chunk_result, file_result, symbol_result
from headwater.query.page_token import Generations
from headwater.stores.index_reader import ChunkRow, DocumentRow, Scope, SymbolRow

_Key = tuple[str, Generations, Grants]


class Ranked(msgspec.Struct, frozen=True):
    """One place of the ranked list; `Result` where hydration was part of finding it."""

    row: ChunkRow | SymbolRow | DocumentRow | Result
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


def hydrate(access: Access, item: Ranked) -> Result:
    row, score, retrievers = item.row, round(item.score, 6), item.retrievers
    if isinstance(row, Result):
        return row
    if isinstance(row, ChunkRow):
        return chunk_result(access, row, score=score, retrievers=retrievers, duplicates=item.duplicates)
    if isinstance(row, SymbolRow):
        return symbol_result(access, row.document, row.symbol, score=score, retrievers=retrievers)
    return file_result(access, row, score)


class RankedCache:
    """Lists that a page token may come back for. A restart or eviction only costs ranking again.

    A list belongs to the grants that it was ranked under: once they change, it is ranked again.
    """

    def __init__(self, keep: int = 256) -> None:
        self._keep, self._lock = keep, Lock()
        self._lists: OrderedDict[_Key, RankedList] = OrderedDict()

    def get(self, fingerprint: str, generations: Generations, grants: Grants) -> RankedList | None:
        key = (fingerprint, generations, grants)
        with self._lock:
            found = self._lists.get(key)
            if found is not None:
                self._lists.move_to_end(key)
        METRICS.count("headwater_query_cache_total", cache="ranked", outcome="miss" if found is None else "hit")
        return found

    def put(self, fingerprint: str, generations: Generations, grants: Grants, ranked: RankedList) -> None:
        with self._lock:
            self._lists[fingerprint, generations, grants] = ranked
            while len(self._lists) > self._keep:
                self._lists.popitem(last=False)
