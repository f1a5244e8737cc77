"""What one question may read: a pinned scope, the caller's grants, its filters and its deadline."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from headwater.domain.answer import AsOf
from headwater.domain.grants import Grants
from headwater.query.deadline import Deadline
from headwater.query.documents import DocumentCache
from headwater.query.glob import PathFilter
from headwater.query.hidden import HiddenDocuments
from headwater.query.page_token import Generations
from headwater.query.texts import Texts
from headwater.stores.compiled_indexes import CompiledIndexes
from headwater.stores.index_reader import DocumentRow, IndexReader, Scope

Row = TypeVar("Row")
MAX_FETCH = 1_000_000


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a part of the query plane needs to answer within its bounds."""

    reader: IndexReader
    documents: DocumentCache
    texts: Texts
    scope: Scope
    grants: Grants
    paths: PathFilter
    languages: frozenset[str]
    deadline: Deadline
    hidden: HiddenDocuments
    compiled: CompiledIndexes | None = None
    published: bool = True  # every selected view has been
    unread: bool = False  # files that the question selects could not be read from git

    def admits(self, row: DocumentRow) -> bool:
        """Grants first, then the question's own filters."""
        repo = self.scope[row.snapshot].view.repo
        return self.grants.allows(repo, row.path) and self.selects(row.path, row.language)

    def may_read(self, snapshot: int, path: str) -> bool:
        return self.grants.allows(self.scope[snapshot].view.repo, path)

    def selects(self, path: str, language: str) -> bool:
        """Whether the question's filters take this file."""
        return (not self.languages or language in self.languages) and self.paths.admits(path)

    @property
    def whole(self) -> bool:
        """Whether the scope holds all that the question asks about."""
        return self.published and not self.unread

    def looked_for_unread(self) -> "Access":
        """Knows whether it is whole. What language a file has that couldn't be read is unknown: it may be any."""

        def admits(row: tuple[int, str]) -> bool:
            return self.may_read(*row) and self.paths.admits(row[1])

        found = fetch_admitted(lambda limit: self.reader.parked_in(self.scope, limit), admits, 1)
        return msgspec.structs.replace(self, unread=bool(found))

    @property
    def is_filtered(self) -> bool:
        """Whether some rows of the scope may be left out."""
        return bool(self.languages) or not self.paths.is_empty or self.grants.is_restricted

    def counted(self) -> Scope:
        """The scope whose statistics count only what the caller may read."""
        return self.hidden.withheld(self.scope, self.grants)

    def as_of(self) -> tuple[AsOf, ...]:
        return tuple(AsOf(s.view.repo, s.view.ref, s.commit) for s in self.scope)

    def generations(self) -> Generations:
        return tuple((s.view.repo, s.view.ref, s.generation) for s in self.scope)

    def prepare(self, rows: Iterable[DocumentRow]) -> None:
        """Gets texts that will be asked for at once; only of rows that the caller may read."""
        self.texts.prepare((self._repo(row), row) for row in rows)

    def text(self, row: DocumentRow) -> bytes | None:
        """UTF-8; None where it can't be had, and the answer is then without `text`."""
        return self.texts.text(self._repo(row), row)

    def held(self, row: DocumentRow) -> bytes | None:
        """The text if it is there without waiting."""
        return self.texts.held(self._repo(row), row)

    def slice(self, row: DocumentRow, start: int, end: int) -> str:
        """Text of a byte range, "" where it can't be had."""
        return (self.text(row) or b"")[start:end].decode("utf-8", "replace")

    def without(self, degraded: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The parts that the answer is without: those given, `text` and `unreadable_files` where some were lacking."""
        lacking = (("text", self.texts.lacking), ("unreadable_files", self.unread))
        return (*degraded, *(part for part, lacks in lacking if lacks and part not in degraded))

    def _repo(self, row: DocumentRow) -> str:
        return self.scope[row.snapshot].view.repo


def fetch_admitted(fetch: Callable[[int], Sequence[Row]], admits: Callable[[Row], bool], want: int) -> list[Row]:
    """The first `want` admitted rows: fetches ever more until the source runs dry.

    `fetch(limit)` gives the first `limit` rows of one fixed order. What is not admitted changes nothing of the answer.
    """
    limit = want
    while True:
        rows = fetch(limit)
        admitted = [row for row in rows if admits(row)]
        if len(admitted) >= want or len(rows) < limit or limit >= MAX_FETCH:
            return admitted[:want]
        limit *= 8
