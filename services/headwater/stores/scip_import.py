"""Importing a SCIP index: for one commit of an indexed repository, with the texts that its positions count in."""

from pathlib import Path
from typing import Protocol

import msgspec

from headwater.domain.scip.compiled import CompiledIndex, compile_index
from headwater.domain.scip.index import read_documents
from headwater.domain.view import ViewKey, ViewState
from headwater.stores.catalog import Repository
from headwater.stores.compiled_indexes import CompiledIndexes
from headwater.stores.index_reader import IndexReader


class Commits(IndexReader, Protocol):
    """The catalog, and what its views show."""

    def views(self) -> list[ViewState]: ...

    def repositories(self) -> list[Repository]: ...


class ScipReport(msgspec.Struct, frozen=True):
    """What was imported; `left_out` counts the index's files that the commit doesn't have."""

    repo: str
    commit: str
    files: int
    left_out: int
    occurrences: int


class NotIndexedError(Exception):
    """No view of the repository shows the commit: index it first."""


def import_scip(catalog: Commits, indexes: CompiledIndexes, repo: str, commit: str, file: Path) -> ScipReport:
    """Raises NotIndexedError, WireError, OSError.

    An empty `commit` means the one that the newest view of a ref of git's shows: no compiler has seen a private view's.
    """
    view, full = _view_of(catalog, repo, commit)
    with catalog.pin([view]) as scope:
        if not scope or scope[0].commit != full:
            raise NotIndexedError(f"{view.repo} {view.ref} has moved on from {full[:12]}: repeat the command")

        def lines(path: str) -> list[str] | None:
            rows = catalog.document_at(scope, path)
            return catalog.text(rows[0].document_id).split("\n") if rows else None

        documents = list(read_documents(file.read_bytes()))
        index = compile_index(documents, lines)
    indexes.put(repo, full, index)
    return _report(repo, full, index, len(documents))


def _view_of(catalog: Commits, repo: str, commit: str) -> tuple[ViewKey, str]:
    public = [s for s in catalog.views() if s.view.repo == repo and s.view.owner is None]
    states = [s for s in public if s.published and s.commit.startswith(commit)]
    if not states:
        raise NotIndexedError(f"no view of '{repo}' shows commit '{commit or 'HEAD'}': run 'headwater index' first")
    newest = max(states, key=lambda s: s.published_at)
    return newest.view, newest.commit


def _report(repo: str, commit: str, index: CompiledIndex, documents: int) -> ScipReport:
    occurrences = sum(map(len, index.files.values()))
    return ScipReport(repo, commit, len(index.files), documents - len(index.files), occurrences)
