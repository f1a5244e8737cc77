"""What operators may do, free of transport: only for callers with the admin grant, whatever they may read."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import msgspec

from headwater.domain.grants import Grants
from headwater.domain.merkle import recompute_root
from headwater.domain.query_error import ForbiddenError, InvalidQuestionError, NotFoundError, UnavailableError
from headwater.domain.question_check import check_names
from headwater.domain.ref_name import bare_name, full_names
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewKey, ViewState
from headwater.events import CommitReceived
from headwater.limits import limits
from headwater.stores.catalog import Catalog, CatalogUnavailableError, Repository, StaleGenerationError
from headwater.stores.vector_store import VectorsUnavailableError


class Letter(msgspec.Struct, frozen=True):
    """An event that was set aside, without what is in it."""

    id: str
    stage: str
    reason: str
    attempts: int
    at: float


class Letters(Protocol):
    """Events that were set aside. Raises UnavailableError while Kafka is away."""

    def list(self, topics: Sequence[str]) -> Sequence[Letter]:
        """Of these topics, all when none is named. Raises NotFoundError for one that doesn't exist."""
        ...

    def replay(self, ids: Sequence[str]) -> Sequence[str]:
        """Those that were found and sent again. Raises InvalidQuestionError for what is no id."""
        ...


class Proof(msgspec.Struct, frozen=True):
    """A published view: `root` is recomputed from the index's leaves ("": some are missing), `tree` is the commit's."""

    view: ViewKey
    commit: str
    tree: str
    root: str


class Operations(msgspec.Struct, frozen=True, kw_only=True):
    """What administration works on; `send` and `letters` are None where there is no pipeline to reach.

    `others` are the catalogs of editions that take writes without being live: they hold the same repositories.
    """

    catalog: Callable[[], Catalog]  # the live one
    collect: Callable[[], int]
    others: Callable[[], Sequence[Catalog]] = tuple
    send: Callable[[Sequence[CommitReceived]], None] | None = None
    letters: Letters | None = None


class Administration:
    """Each operation is refused before anything is looked at. Raises QueryError alone."""

    def __init__(self, operations: Operations) -> None:
        self._of = operations

    def repositories(self, grants: Grants) -> list[tuple[Repository, int]]:
        """Every repository with the number of its views."""
        with self._allowed(grants):
            views = Counter(s.view.repo for s in self._views())
            return [(repository, views[repository.name]) for repository in self._of.catalog().repositories()]

    def set_paused(self, grants: Grants, repo: str, paused: bool) -> None:
        with self._allowed(grants, repo=(repo,)):
            changed = msgspec.structs.replace(self._named(repo), paused=paused)
            for catalog in self._catalogs():
                catalog.add_repository(changed)

    def remove(self, grants: Grants, repo: str) -> int:
        """The number of views that went with it."""
        with self._allowed(grants, repo=(repo,)):
            name = self._named(repo).name
            views = sum(s.view.repo == name for s in self._views())
            for catalog in self._catalogs():
                catalog.remove_repository(name)
            return views

    def collect(self, grants: Grants) -> int:
        with self._allowed(grants):
            return self._of.collect()

    def verify(self, grants: Grants, repo: str, refs: Sequence[str]) -> list[Proof]:
        with self._allowed(grants, repo=(repo,), refs=refs):
            if repo:
                self._named(repo)
            chosen = [s for s in self._views() if s.published and repo in ("", s.view.repo)]
            wanted = {full for ref in refs for full in (ref, *full_names(bare_name(ref)))}
            proofs = [self._proof(s) for s in chosen if not refs or s.view.ref in wanted]
            return [proof for proof in proofs if proof is not None]

    def repair(self, grants: Grants, view: ViewKey, paths: Sequence[str]) -> None:
        with self._allowed(grants, repo=(view.repo,), ref=(view.ref,), paths=paths):
            if all(s.view != view for s in self._views()):
                raise NotFoundError("UNKNOWN_REF", f"no view {view.ref} of '{view.repo}': give the ref's full name")
            if self._of.send is None:
                raise UnavailableError("NO_PIPELINE", "this server has no pipeline to send to: run 'headwater index'")
            event = CommitReceived(
                repo=view.repo, ref=view.ref, after="", pushed_at=time.time(), cause="repair", paths=tuple(paths)
            )
            self._of.send([event])

    def letters(self, grants: Grants, topics: Sequence[str]) -> Sequence[Letter]:
        with self._allowed(grants, topics=topics):
            return self._letters().list(topics)

    def replay(self, grants: Grants, ids: Sequence[str]) -> Sequence[str]:
        with self._allowed(grants, ids=ids):
            if not ids:
                raise InvalidQuestionError("ids", "name the letters to send again, as ListDeadLetters gives them")
            return self._letters().replay(ids)

    @contextmanager
    def _allowed(self, grants: Grants, **named: Sequence[str]) -> Iterator[None]:
        """`named` is what the caller sent, by field."""
        if not grants.admin:
            raise ForbiddenError("NOT_ADMIN", "operations are for the policy's admins: ask one of them")
        for field, names in named.items():
            check_names(field, names, limits(), "operation_names")
        try:
            yield
        except (CatalogUnavailableError, VectorsUnavailableError) as error:
            raise UnavailableError("STORE_UNAVAILABLE", "the index can't be changed now: try again") from error

    def _catalogs(self) -> tuple[Catalog, ...]:
        return (self._of.catalog(), *self._of.others())

    def _views(self) -> list[ViewState]:
        return [s for s in self._of.catalog().views() if not s.deleted and s.view.owner is None]

    def _named(self, repo: str) -> Repository:
        for repository in self._of.catalog().repositories():
            if repository.name == repo:
                return repository
        raise NotFoundError("UNKNOWN_REPOSITORY", f"no repository '{repo}'")

    def _letters(self) -> Letters:
        if self._of.letters is None:
            raise UnavailableError("NO_PIPELINE", "this server reaches no topics: set HEADWATER_QUERY_BROKERS")
        return self._of.letters

    def _proof(self, state: ViewState | None) -> Proof | None:
        """None when the view is gone. What is superseded while it is read may be collected: then its successor is."""
        catalog = self._of.catalog()
        while state is not None and state.published:
            root = _root(catalog, state)
            now = catalog.view(state.view)
            if root == state.tree or (now is not None and now.published == state.published):
                return Proof(state.view, state.commit, state.tree, root)
            state = now
        return None


def _root(catalog: Catalog, state: ViewState) -> str:
    """Recomputed from the leaves; "" where not all of them can be found."""
    try:
        return recompute_root(catalog.tree_reader(state.view, state.published))
    except (TreeUnreadableError, StaleGenerationError):
        return ""
