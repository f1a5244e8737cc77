"""Names in a fixed order from a source that gives only the first so many of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge

from headwater.query.access import MAX_FETCH, Access

FIRST_WINDOW = 256
_BATCH = 16

Fetch = Callable[[int], Sequence[str]]  # the first so many names of one fixed order


def all_names(fetch: Fetch) -> Iterator[str]:
    """Every name, read by growing windows, so that who stops early has paid for little."""
    limit, done = FIRST_WINDOW, 0
    while True:
        names = fetch(limit)
        yield from names[done:]
        if len(names) < limit or limit >= MAX_FETCH:
            return
        done, limit = len(names), limit * 8


def shortest_first(sources: Iterable[Iterator[str]]) -> Iterator[str]:
    """The names of sources that are each in (length, name) order, in that order, each once."""
    last = ""
    for name in merge(*sources, key=lambda n: (len(n), n)):
        if name != last:
            last = name
            yield name


def defined_for(access: Access, fetch: Fetch, want: int) -> list[str]:
    """The first `want` names that are defined where the caller may read; no other name changes which these are."""
    found: list[str] = []
    for batch in in_batches(all_names(fetch)):
        rows = access.reader.symbols_named(access.scope, batch, MAX_FETCH)
        admitted = {row.symbol.name for row in rows if access.admits(row.document)}
        found += [name for name in batch if name in admitted]
        if len(found) >= want or access.deadline.passed:
            break
    return found[:want]


def in_batches(names: Iterable[str]) -> Iterator[list[str]]:
    """Lists of at most 16 names."""
    batch: list[str] = []
    for name in names:
        batch.append(name)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
