"""Importing a SCIP index: for one commit of an indexed repository, with the texts that its positions count in."""

from pathlib import Path

import msgspec

from headwater.domain.scip.compiled import CompiledIndex, compile_index
from headwater.domain.scip.index import read_documents
from headwater.domain.source_text import source_text
from headwater.domain.view import ViewKey
from headwater.embedded.product import Product
from headwater.stores.compiled_indexes import FolderCompiledIndexes
from headwater.stores.index_reader import DocumentRow


class ScipReport(msgspec.Struct, frozen=True):
    """What was imported; `left_out` counts the index's files that the commit doesn't have."""

    repo: str
    commit: str
    files: int
    left_out: int
    occurrences: int


class NotIndexedError(Exception):
    """No view of the repository shows the commit: index it first."""


def import_scip(product: Product, repo: str, commit: str, file: Path) -> ScipReport:
    """Raises NotIndexedError, WireError, OSError. An empty `commit` means the one that the newest view shows."""
    view, full = _view_of(product, repo, commit)
    with product.catalog.pin([view]) as scope:

        def lines(path: str) -> list[str] | None:
            rows = product.catalog.document_at(scope, path)
            return _text(product, repo, rows[0]).split("\n") if rows else None

        documents = list(read_documents(file.read_bytes()))
        index = compile_index(documents, lines)
    FolderCompiledIndexes(product.home.compiled).put(repo, full, index)
    return _report(repo, full, index, len(documents))


def _text(product: Product, repo: str, row: DocumentRow) -> str:
    if not product.treatment.pointers_only:
        return product.catalog.text(row.document_id)
    contents = product.git.read_blobs(repo, [row.blob])
    return source_text(row.path, contents.get(row.blob, b"")).decode("utf-8")


def _view_of(product: Product, repo: str, commit: str) -> tuple[ViewKey, str]:
    public = [s for s in product.catalog.views() if s.view.repo == repo and s.published and s.view.owner is None]
    states = [s for s in public if s.commit.startswith(commit)]
    if not states:
        raise NotIndexedError(f"no view of '{repo}' shows commit '{commit or 'HEAD'}': run 'headwater index' first")
    newest = max(states, key=lambda s: s.published_at)
    return newest.view, newest.commit


def _report(repo: str, commit: str, index: CompiledIndex, documents: int) -> ScipReport:
    occurrences = sum(map(len, index.files.values()))
    return ScipReport(repo, commit, len(index.files), documents - len(index.files), occurrences)
