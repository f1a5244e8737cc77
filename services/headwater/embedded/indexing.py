"""Indexing from the command line: names repositories, resolves refs, runs the pipeline and reports."""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from headwater.commit_ingest.process import followed, known_heads, repository_name
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewKey, ViewState
from headwater.embedded.mending import mend
from headwater.embedded.product import Git, Product, Progress
from headwater.embedded.report import IndexReport, ViewReport
from headwater.events import CommitReceived
from headwater.stores.catalog import Repository
from headwater.stores.git_store import GitRepository, RefNotFoundError, RepositoryUnreadableError
from headwater.streaming.in_process import PipelineStalledError


class IndexingError(Exception):
    """A view could not be brought to its commit; the message names it and the reason."""


class RefusedError(IndexingError):
    """A commit is over a limit."""


class Target(msgspec.Struct, frozen=True):
    """A repository and the refs wanted of it: short or full names, globs, commits; none means HEAD."""

    path: Path
    refs: tuple[str, ...] = ()
    name: str | None = None


def index(product: Product, targets: Sequence[Target], progress: Progress | None = None) -> IndexReport:
    """Bring every target's views to their refs' commits; one that can't be, of several, is a problem of the report.

    Raises RepositoryUnreadableError, RefNotFoundError, IndexingError, PipelineStalledError, CatalogUnavailableError.
    """
    mend(product)
    run = _Run(product, progress)
    for target in targets:
        try:
            run.take_in(target)
        except (RepositoryUnreadableError, RefNotFoundError) as error:
            if len(targets) == 1:
                raise
            run.problems.append(str(error))
    product.collect()
    return IndexReport(
        views=tuple(run.views), deleted=tuple(run.deleted), empty=tuple(run.empty), problems=tuple(run.problems)
    )


class _Run:
    """What came of each target so far."""

    def __init__(self, product: Product, progress: Progress | None) -> None:
        self._product, self._progress = product, progress
        self.views: list[ViewReport] = []
        self.deleted: list[ViewKey] = []
        self.empty: list[str] = []
        self.problems: list[str] = []

    def take_in(self, target: Target) -> None:
        repository = GitRepository(target.path)
        name = _register(self._product, target, repository)
        self._drop_deleted(name, repository)
        if repository.is_empty:
            self.empty.append(name)
            return
        try:
            wanted = _wanted(repository, target.refs)
        except TreeUnreadableError as error:
            self.problems.append(f"{name}: {error}; its last good state stays")
            return
        for ref in wanted:
            self._index(ViewKey(name, ref))

    def _drop_deleted(self, name: str, repository: GitRepository) -> None:
        known = known_heads(((s.view, s.commit) for s in self._product.catalog.views() if not s.deleted), name)
        for ref in known:
            view = ViewKey(name, ref)
            try:
                is_gone = repository.commit_of(ref) is None
            except TreeUnreadableError as error:
                self.problems.append(f"{name}: {error}; its last good state stays")
                continue
            if is_gone:
                self._product.run([_received(view, "")])
                self.deleted.append(view)

    def _index(self, view: ViewKey) -> None:
        try:
            commit = self._product.git.open(view.repo).commit_of(view.ref) or ""
            report = take_in(self._product, view, commit, self._progress)
        except (TreeUnreadableError, RefusedError, PipelineStalledError) as error:
            self.problems.append(f"{view.repo} {view.ref}: {error}; its last good state stays")
            return
        self.views.append(report)
        if report.files.parked:
            self.problems.append(
                f"{view.repo} {view.ref}: {report.files.parked} files could not be read and are parked, see 'headwater"
                " files --why'; repair the repository ('git fsck' says what is wrong) and index again"
            )


def location_of(repository: GitRepository) -> str:
    """Its folder. Raises IndexingError for a path that is no text, which nothing can store."""
    location = str(repository.path)
    try:
        location.encode()
    except UnicodeEncodeError as error:
        shown = location.encode("utf-8", "backslashreplace").decode()
        raise IndexingError(f"the path {shown} is not valid UTF-8: rename the folder, or clone it elsewhere") from error
    return location


def _register(product: Product, target: Target, repository: GitRepository) -> str:
    location = location_of(repository)
    repositories = product.catalog.repositories()
    taken = {r.name: r.location for r in repositories}
    paused = {r.name for r in repositories if r.paused}
    name = target.name or repository_name(
        repository.path.name.removesuffix(".git"), repository.origin(), taken, location
    )
    if taken.get(name, location) != location:
        raise IndexingError(f"the name '{name}' belongs to {taken[name]}: choose another with --name")
    if name in paused:
        raise IndexingError(f"{name} is paused: run 'headwater resume {name}' first")
    if name not in taken:
        product.catalog.add_repository(Repository(name, location))
    return name


def _wanted(repository: GitRepository, refs: Sequence[str]) -> list[str]:
    """Full ref names (or commit ids) in the order asked for, each once."""
    found: dict[str, None] = {}
    for ref in refs or ("HEAD",):
        globbed = followed(repository.refs(), [ref]) if any(c in ref for c in "*?[") else None
        found |= dict.fromkeys(globbed if globbed else [repository.resolve(ref)[0]])
    return list(found)


def _received(view: ViewKey, commit: str) -> CommitReceived:
    return CommitReceived(repo=view.repo, ref=view.ref, after=commit, pushed_at=time.time(), cause="command")


def take_in(
    product: Product, view: ViewKey, commit: str, progress: Progress | None = None, git: Git | None = None
) -> ViewReport:
    """Bring one view to its commit in `git`.

    Raises RefusedError, IndexingError, PipelineStalledError, CatalogUnavailableError.
    """
    started = time.monotonic()
    product.live.take_back_lost()
    before = product.catalog.view(view)
    lost = product.catalog.unembedded(view, before.published) if before is not None and before.published else 0
    visited = product.run([_received(view, commit)], progress, git)
    refusal = product.catalog.refusals().get(view)
    if refusal is not None and refusal.commit == commit:
        raise RefusedError(refusal.reason)
    after = product.catalog.view(view)
    if after is None or after.published != after.opened:
        raise IndexingError(f"{view.repo} {view.ref} is not published yet: run the same command again to continue")
    return _report(product, before, after, visited, time.monotonic() - started, lost)


def _report(
    product: Product, before: ViewState | None, after: ViewState, visited: int, seconds: float, lost: int
) -> ViewReport:
    """`lost` contents of the former generation had no vector when the run began."""
    former = before.published if before is not None and not before.deleted else 0
    chunks = product.catalog.chunk_counts(after.view, former, after.published)
    again = min(lost, chunks.reused)
    chunks = msgspec.structs.replace(chunks, embedded=chunks.embedded + again, reused=chunks.reused - again)
    return ViewReport(
        repo=after.view.repo,
        ref=after.view.ref,
        commit=after.commit,
        tree=after.tree,
        tree_proven=after.tree_proven,
        files=product.catalog.file_counts(after.view, after.published),
        chunks=chunks,
        nodes_visited=visited,
        seconds=round(seconds, 3),
    )
