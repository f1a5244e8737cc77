"""Where one question gets the text of documents: from the catalog, or from the git host for its caller."""

from collections.abc import Iterable
from typing import Protocol

from headwater.query.deadline import Deadline
from headwater.query.documents import DocumentCache
from headwater.query.hydration import Caller, Hydration, Wanted
from headwater.stores.index_reader import DocumentRow, TextNotStoredError

HYDRATION_SHARE = 0.6  # of the time left, so that an answer without text is still in time


class Texts(Protocol):
    """One for a question. It is asked only for what the caller may read."""

    lacking: bool  # whether a text that the answer needed could not be had

    def prepare(self, files: Iterable[tuple[str, DocumentRow]]) -> None:
        """Gets the texts of these files (repository, document) at once, where that saves time."""
        ...

    def held(self, repo: str, row: DocumentRow) -> bytes | None:
        """UTF-8, None where it can't be had without waiting."""
        ...

    def text(self, repo: str, row: DocumentRow) -> bytes | None:
        """UTF-8, None where it can't be had: then the answer is one without it."""
        ...


class StoredTexts:
    """`Texts` of the catalog."""

    def __init__(self, documents: DocumentCache) -> None:
        self._documents, self.lacking = documents, False

    def prepare(self, files: Iterable[tuple[str, DocumentRow]]) -> None:
        """Nothing: reading them one by one takes as long."""

    def held(self, repo: str, row: DocumentRow) -> bytes | None:
        try:
            return self._documents.text(row)
        except TextNotStoredError:
            return None

    def text(self, repo: str, row: DocumentRow) -> bytes | None:
        found = self.held(repo, row)
        self.lacking = self.lacking or found is None
        return found


class HydratedTexts:
    """`Texts` of the git host. What it didn't give once is not asked for again in the same question."""

    def __init__(self, hydration: Hydration, caller: Caller, deadline: Deadline) -> None:
        self._hydration, self._caller, self._deadline, self.lacking = hydration, caller, deadline, False
        self._known: dict[Wanted, bytes | None] = {}

    def prepare(self, files: Iterable[tuple[str, DocumentRow]]) -> None:
        wanted = {file for repo, row in files if (file := _wanted(repo, row)) not in self._known}
        if wanted:
            seconds = self._deadline.share(HYDRATION_SHARE)
            found = self._hydration.texts(self._caller, wanted, seconds) if seconds > 0 else {}
            self._known |= {file: found.get(file) for file in wanted}

    def held(self, repo: str, row: DocumentRow) -> bytes | None:
        return self._known.get(_wanted(repo, row))

    def text(self, repo: str, row: DocumentRow) -> bytes | None:
        self.prepare([(repo, row)])
        found = self.held(repo, row)
        self.lacking = self.lacking or found is None
        return found


def _wanted(repo: str, row: DocumentRow) -> Wanted:
    return Wanted(repo, row.path, row.blob)
