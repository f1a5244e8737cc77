"""Indexing from the command line: names repositories, resolves refs, runs the pipeline and reports."""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from headwater.commit_ingest.process import followed, known_heads, repository_name
from headwater.domain.view import ViewKey, ViewState
from headwater.embedded.product import Git, Product, Progress
from headwater.embedded.report import IndexReport, ViewReport
from headwater.events import CommitReceived
from headwater.stores.catalog import Repository
from headwater.stores.git_store import GitRepository


class IndexingError(Exception):
    """A view could not be brought to its commit; the message names it and the reason."""


class Target(msgspec.Struct, frozen=True):
    """A repository and the refs wanted of it: short or full names, globs, commits; none means HEAD."""

    path: Path
    refs: tuple[str, ...] = ()
    name: str | None = None


def index(product: Product, targets: Sequence[Target], progress: Progress | None = None) -> IndexReport:
    """Bring every target's views to their refs' commits.

    Raises RepositoryUnreadableError, RefNotFoundError, IndexingError, PipelineStalledError, CatalogUnavailableError.
    """
    report = IndexReport()
    for target in targets:
        repository = GitRepository(target.path)
        name = _register(product, target, repository)
        deleted = _drop_deleted(product, name, repository)
        empty = (name,) if repository.is_empty else ()
        wanted = [] if empty else _wanted(repository, target.refs)
        views = tuple(_index_view(product, ViewKey(name, ref), progress) for ref in wanted)
        report = IndexReport(views=report.views + views, deleted=report.deleted + deleted, empty=report.empty + empty)
    product.collect()
    return report


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


def _drop_deleted(product: Product, name: str, repository: GitRepository) -> tuple[ViewKey, ...]:
    known = known_heads(((s.view, s.commit) for s in product.catalog.views() if not s.deleted), name)
    gone = tuple(ViewKey(name, ref) for ref in known if repository.commit_of(ref) is None)
    for view in gone:
        product.run([_received(view, "")])
    return gone


def _received(view: ViewKey, commit: str) -> CommitReceived:
    return CommitReceived(repo=view.repo, ref=view.ref, after=commit, pushed_at=time.time(), cause="command")


def _index_view(product: Product, view: ViewKey, progress: Progress | None) -> ViewReport:
    return take_in(product, view, product.git.open(view.repo).commit_of(view.ref) or "", progress)


def take_in(
    product: Product, view: ViewKey, commit: str, progress: Progress | None = None, git: Git | None = None
) -> ViewReport:
    """Bring one view to its commit in `git`. Raises IndexingError, PipelineStalledError, CatalogUnavailableError."""
    started = time.monotonic()
    before = product.catalog.view(view)
    visited = product.run([_received(view, commit)], progress, git)
    after = product.catalog.view(view)
    if after is None or after.published != after.opened:
        raise IndexingError(f"{view.repo} {view.ref} is not published yet: run the same command again to continue")
    return _report(product, before, after, visited, time.monotonic() - started)


def _report(product: Product, before: ViewState | None, after: ViewState, visited: int, seconds: float) -> ViewReport:
    former = before.published if before is not None and not before.deleted else 0
    return ViewReport(
        repo=after.view.repo,
        ref=after.view.ref,
        commit=after.commit,
        tree=after.tree,
        tree_proven=after.tree_proven,
        files=product.catalog.file_counts(after.view, after.published),
        chunks=product.catalog.chunk_counts(after.view, former, after.published),
        nodes_visited=visited,
        seconds=round(seconds, 3),
    )
