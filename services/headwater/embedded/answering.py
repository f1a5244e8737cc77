"""The query engine over an embedded home: the same engine that the query service runs."""

import os
from pathlib import Path

from headwater.clients.embedding_model import EmbeddingModel
from headwater.clients.reranker import StaticReranker
from headwater.clients.static_model import StaticModel
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.structural import LazyStructural
from headwater.embedded.whereabouts import repository_at
from headwater.query.engine import Engine, Parts
from headwater.query.heads import GitHeads
from headwater.query.hydration import Hydration
from headwater.query.hydration_settings import hydration_from
from headwater.query.identity.settings import AccessSettings
from headwater.query.live import LiveEngine
from headwater.query.named_views import Names
from headwater.query.outcomes import JsonLinesOutcomeLog
from headwater.query.retrieval import VectorSide
from headwater.runtime.private_files import replace_file, take_lock
from headwater.settings import load_settings
from headwater.stores.compiled_indexes import FolderCompiledIndexes
from headwater.stores.git_store import RefNotFoundError, RepositoryUnreadableError


def engine(product: Product, default: ViewKey | None = None, by_path: bool = False) -> Engine:
    """An engine over the live edition, whichever that is. Page tokens stay valid across processes of one home.

    `default`: a view that answers for its repository where a question names no ref, instead of HEAD's. `by_path`: paths
    name repositories, too; only for a caller who is at home on this machine.
    """
    return LiveEngine(product.registry.read, lambda number: Engine(parts(product, default, number, by_path)))


def parts(product: Product, default: ViewKey | None = None, number: int = 0, by_path: bool = False) -> Parts:
    """What an edition's engine is made of; 0: the live one's."""
    edition = product.edition(number) if number else product.live
    return Parts(
        reader=edition.catalog,
        vectors=VectorSide(edition.model, edition.vectors),
        reranker=StaticReranker(_static(product.models.own)),
        outcomes=JsonLinesOutcomeLog(product.home.outcomes),
        compiled=FolderCompiledIndexes(product.home.compiled),
        names=Names(
            default_ref=lambda repo: default.ref if default and default.repo == repo else _head(product, repo),
            commit_of=lambda repo, ref: _commit(product, repo, ref),
            repository_at=lambda path: repository_at(product.catalog.repositories(), path) if by_path else None,
        ),
        contains=lambda repo, commit, other: _contains(product, repo, commit, other),
        head_of=GitHeads(lambda: product.catalog, product.git),
        structural=LazyStructural(product.home, product.treatment.pointers_only),
        hydration=_hydration(product) if product.treatment.pointers_only else None,
        page_secret=_page_secret(product.home),
    )


def _static(own: EmbeddingModel) -> StaticModel:
    """The reranker is fitted to the program's own weights, whichever the edition's are."""
    return own if isinstance(own, StaticModel) else StaticModel()


def _head(product: Product, repo: str) -> str | None:
    try:
        return product.git.open(repo).resolve(None)[0]
    except (RepositoryUnreadableError, RefNotFoundError):
        return None


def _commit(product: Product, repo: str, ref: str) -> str | None:
    try:
        return product.git.open(repo).commit_of(ref)
    except (RepositoryUnreadableError, TreeUnreadableError):
        return None


def _contains(product: Product, repo: str, commit: str, other: str) -> bool:
    try:
        return product.git.open(repo).behind(commit, other) == 0
    except RepositoryUnreadableError:
        return False


def _hydration(product: Product) -> Hydration:
    access = load_settings(AccessSettings, "access", os.environ)
    return hydration_from(os.environ, access, product.git.read_blobs)


def _page_secret(home: Home) -> bytes:
    """Made once; a second process that makes it at the same time takes the first one's."""
    path: Path = home.page_secret
    with take_lock(path.with_suffix(".lock")):
        if not path.exists():
            replace_file(path, os.urandom(32))
    return path.read_bytes()
