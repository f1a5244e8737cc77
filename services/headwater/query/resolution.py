"""Resolution per snapshot, kept between questions of callers who may read the same of it."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

import msgspec

from headwater.domain.document import Reference
from headwater.domain.grants import PathRule
from headwater.domain.resolution.source import SymbolId
from headwater.domain.resolution.types import Definitions
from headwater.domain.resolution.usages import Usage, Usages
from headwater.query.access import Access
from headwater.query.deadline import deadline_passed
from headwater.query.snapshot_facts import SnapshotFacts
from headwater.stores.index_reader import DocumentRow

MAX_KEPT = 8
MAX_DOCUMENTS = 20_000  # beyond so many, what was learnt is dropped after the question

Key = tuple[int, int, PathRule | None]  # view, generation, and what the caller may read of it


class Resolution:
    """Answers for one snapshot. One question at a time: it learns as it answers."""

    def __init__(self, access: Access, snapshot: int) -> None:
        alone = msgspec.structs.replace(access, scope=(access.scope[snapshot],))
        self._facts = SnapshotFacts(alone, 0)
        self._usages = Usages(self._facts)
        self.lock = Lock()

    def usages_of(self, row: DocumentRow, indexes: Sequence[int]) -> list[tuple[DocumentRow, Usage]]:
        """Every use of these definitions of one document, with the document that it is in."""
        found = self._usages.of([SymbolId(self._facts.handle(row), index) for index in indexes])
        return [(self._facts.row(u.document), u) for u in found]

    def definitions_at(self, row: DocumentRow, byte: int) -> list[tuple[DocumentRow, int]]:
        """What the token at this byte is or denotes."""
        return self._rows(self._usages.definitions_at(self._facts.handle(row), byte))

    def definitions_of(self, row: DocumentRow, reference: Reference) -> list[tuple[DocumentRow, int]]:
        """What a reference of this document denotes; empty when that is not certain."""
        names = self._usages.names
        found = names.denote(names.view(self._facts.handle(row)), reference)
        return self._rows(found.symbols) if isinstance(found, Definitions) else []

    def continue_for(self, access: Access) -> None:
        """From now on look-ups count against this question's deadline."""
        self._facts.deadline = access.deadline

    @property
    def size(self) -> int:
        return self._facts.size

    def _rows(self, ids: tuple[SymbolId, ...]) -> list[tuple[DocumentRow, int]]:
        return [(self._facts.row(document), number) for document, number in ids]


class Resolutions:
    """One for an engine. What a restricted caller may not read is never in what another one learnt from."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Resolution] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def of(self, access: Access, snapshot: int) -> Iterator[Resolution]:
        """Raises DeadlinePassedError, also when another question holds the snapshot's for too long."""
        pinned = access.scope[snapshot]
        key = (pinned.view_id, pinned.generation, access.grants.rule_for(pinned.view.repo))
        resolution = self._take(key, access, snapshot)
        if not resolution.lock.acquire(timeout=access.deadline.remaining()):
            raise deadline_passed()
        try:
            resolution.continue_for(access)
            yield resolution
        except BaseException:  # stopped halfway: what it had begun to learn is not to be trusted
            self._drop(key)
            raise
        finally:
            resolution.lock.release()
        if resolution.size > MAX_DOCUMENTS:
            self._drop(key)

    def _take(self, key: Key, access: Access, snapshot: int) -> Resolution:
        with self._lock:
            resolution = self._kept.pop(key, None) or Resolution(access, snapshot)
            self._kept[key] = resolution
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return resolution

    def _drop(self, key: Key) -> None:
        with self._lock:
            self._kept.pop(key, None)
