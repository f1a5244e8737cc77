"""Opens what a question may read: chooses views, waits for its commit, pins one instant of them."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

import msgspec

from headwater.domain.grants import Grants
from headwater.domain.query_error import NotFoundError, UnavailableError
from headwater.domain.question import Question
from headwater.domain.view import ViewState
from headwater.query.access import Access
from headwater.query.arrivals import Arrivals
from headwater.query.deadline import Deadline
from headwater.query.documents import DocumentCache
from headwater.query.freshness import Contains, behind, check_commit, too_late, wait_for
from headwater.query.glob import PathFilter
from headwater.query.hidden import HiddenDocuments
from headwater.query.hydration import Caller, Hydration
from headwater.query.kept_pins import KeptPins
from headwater.query.named_views import Names
from headwater.query.readable_views import ReadableViews
from headwater.query.syntax import ParsedQuery
from headwater.query.texts import HydratedTexts, StoredTexts, Texts
from headwater.query.view_choice import choose_views
from headwater.stores.catalog import CatalogCorruptError, CatalogUnavailableError
from headwater.stores.compiled_indexes import CompiledIndexes
from headwater.stores.index_reader import IndexReader

_WAITS: ContextVar[bool] = ContextVar("waits", default=True)


@contextmanager
def without_waiting() -> Iterator[None]:
    """Inside, a question whose commit isn't there is refused at once: its caller waits without holding a thread."""
    token = _WAITS.set(False)
    try:
        yield
    finally:
        _WAITS.reset(token)


log = logging.getLogger("headwater")


class Sessions:
    """One for a server; safe to use from several threads."""

    def __init__(
        self,
        reader: IndexReader,
        names: Names,
        contains: Contains,
        compiled: CompiledIndexes | None = None,
        hydration: Hydration | None = None,
    ) -> None:
        """`hydration` gives the texts in pointers-only mode; without one they are the catalog's."""
        self._compiled, self._hydration = compiled, hydration
        self._reader, self._names, self._contains = reader, names, contains
        self._documents, self._pins, self._hidden = DocumentCache(reader), KeptPins(reader), HiddenDocuments(reader)
        self._readable = ReadableViews()
        self.arrivals = Arrivals(lambda: frozenset((s.view, s.published) for s in reader.views()))

    @contextmanager
    def open(self, question: Question, grants: Grants, deadline: Deadline) -> Iterator[Access]:
        """Raises InvalidQuestionError, NotFoundError, DeadlinePassedError, UnavailableError."""
        paths = PathFilter(question.path_globs)
        try:
            states = self.wait(question, grants, deadline)
            views = [s.view for s in states]
            with self._reader.pin(views) as scope:
                if not scope:
                    raise _first_index(states)
                self._pins.keep(views, scope)
                access = Access(
                    reader=self._reader,
                    documents=self._documents,
                    texts=self._texts(grants, deadline),
                    scope=scope,
                    grants=grants.remembered,
                    paths=paths,
                    languages=frozenset(lang.lower() for lang in question.languages),
                    deadline=deadline,
                    hidden=self._hidden,
                    compiled=self._compiled,
                    published=len(scope) == len(views),
                )
                yield access.looked_for_unread()
        except CatalogUnavailableError as error:
            raise _unavailable() from error
        except CatalogCorruptError as error:
            log.error("a question met damaged rows: %s", error)
            raise UnavailableError(
                "INDEX_DAMAGED", "the index is damaged: its operator runs 'headwater verify'"
            ) from error

    def _texts(self, grants: Grants, deadline: Deadline) -> Texts:
        if self._hydration is None:
            return StoredTexts(self._documents)
        return HydratedTexts(self._hydration, Caller(grants.principal, grants.credential), deadline)

    def close(self) -> None:
        self._pins.close()

    def visible(self, question: Question, grants: Grants) -> Sequence[ViewState]:
        """The chosen views as they are, maybe none. Raises NotFoundError for a name that is unknown."""
        try:
            states = self._reader.views()
        except CatalogUnavailableError as error:
            raise _unavailable() from error
        return choose_views(self._readable.of(states, grants.remembered), question, self._names)

    def wait(self, question: Question, grants: Grants, deadline: Deadline) -> Sequence[ViewState]:
        """The chosen views, once they hold `min_commit`. Raises DeadlinePassedError, CancelledError."""
        commit = check_commit(question.min_commit)
        states = self._chosen(question, grants)
        late = behind(states, commit, self._contains)
        if not late:
            return states
        if not _WAITS.get():
            raise too_late(late, commit)
        moved = Event()

        def pause(seconds: float) -> None:
            moved.wait(seconds)
            moved.clear()

        with self.arrivals.told(moved.set), deadline.cancellation.told(moved.set):
            return wait_for(lambda: self._chosen(question, grants), commit, deadline, self._contains, pause)

    def holds(self, question: Question, grants: Grants) -> bool:
        """Whether there is nothing to wait for, by one look."""
        commit = check_commit(question.min_commit)
        return not behind(self._chosen(question, grants), commit, self._contains)

    def _chosen(self, question: Question, grants: Grants) -> Sequence[ViewState]:
        states = self.visible(question, grants)
        if not states:
            raise NotFoundError("NOTHING_INDEXED", "nothing is indexed that you may read")
        return states


def _unavailable() -> UnavailableError:
    return UnavailableError("CATALOG_UNAVAILABLE", "the index can't be read now: try again")


def _first_index(states: Sequence[ViewState]) -> UnavailableError:
    views = ", ".join(f"{s.view.repo} {s.view.ref}" for s in states[:5])
    return UnavailableError("NOT_SEARCHABLE_YET", f"the first index of {views} is under way: try again in a moment")


def with_fields(question: Question, query: ParsedQuery) -> Question:
    """The question with the selectors written inside its query (repo: ref: path: lang:) added."""
    return msgspec.structs.replace(
        question,
        repos=(*question.repos, *query.repos),
        refs=(*question.refs, *query.refs),
        path_globs=(*question.path_globs, *query.path_globs),
        languages=(*question.languages, *query.languages),
    )
