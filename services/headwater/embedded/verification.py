"""Proves a view: its Merkle root from the leaves up against git, and its answers against a fresh index."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from headwater.domain.view import ViewKey, ViewState
from headwater.embedded.comparison import IndexedTree, differences
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.mending import stored_root
from headwater.embedded.models import OneModel
from headwater.embedded.product import Product
from headwater.reconciler.vector_proof import compare_all
from headwater.runtime.private_files import make_private

SHOWN = 50  # differences listed per view


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one view. `differences` lists the first of `differing`; None: not compared."""

    repo: str
    ref: str
    commit: str
    head: str  # the ref's commit in git now, "" when it is gone
    tree: str  # the commit's tree in git
    root: str  # recomputed from the index's own leaves
    tree_proven: bool
    differing: int | None = None
    differences: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """The index is true for the commit it names (it may lag behind `head`)."""
        return self.tree_proven and not self.differing


class VectorVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The vectors that chunks of published views should have. `lost` counts them by what became of them."""

    compared: int
    lost: dict[str, int]
    repositories: tuple[str, ...] = ()  # locations of those that lost some

    @property
    def holds(self) -> bool:
        return not self.lost


class RowsVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The catalog's rows against what follows from the documents themselves. `damaged` counts them by table."""

    documents: int
    damaged: dict[str, int]
    paths: tuple[str, ...] = ()  # the first of those that are damaged

    @property
    def holds(self) -> bool:
        return not self.damaged


def verify_rows(product: Product) -> RowsVerdict:
    """An indexing run mends what is found. Raises CatalogUnavailableError, CatalogCorruptError."""
    proof = product.catalog.prove_all()
    if proof.damages:
        leave_word(product)
    paths = sorted({damage.path for damage in proof.damages if damage.path})
    counts = Counter(damage.table for damage in proof.damages)
    return RowsVerdict(documents=proof.documents, damaged=dict(sorted(counts.items())), paths=tuple(paths[:SHOWN]))


def leave_word(product: Product) -> None:
    """For the next indexing run, also where another process writes to the index now."""
    make_private(product.home.damaged)


def verify_vectors(product: Product) -> VectorVerdict:
    """Reads and checks each one. Answers say that they lack vectors, and an indexing run looks for them, if some are
    lost. Raises CatalogUnavailableError, VectorsUnavailableError."""
    proof = compare_all(product.catalog, product.vectors)
    if proof.lost:
        product.vectors.distrust()
    repositories = _showing(product, sorted(proof.lost)) if proof.lost else ()
    return VectorVerdict(compared=proof.compared, lost=proof.by_kind(), repositories=repositories)


def _showing(product: Product, hashes: Sequence[str]) -> tuple[str, ...]:
    locations = {r.name: r.location for r in product.catalog.repositories()}
    with product.catalog.pin([s.view for s in product.catalog.views() if s.published]) as scope:
        rows = product.catalog.chunks_of(scope, hashes)
        names = {scope[row.document.snapshot].view.repo for row in rows}
    return tuple(sorted(locations[name] for name in names if name in locations))


def verify(product: Product, against_fresh: bool = True) -> Iterable[Verdict]:
    """One verdict for each published view. Raises RepositoryUnreadableError, TreeUnreadableError."""
    for state in product.catalog.views():
        if state.published and not state.deleted:
            yield _verdict(product, state, against_fresh)


def _verdict(product: Product, state: ViewState, against_fresh: bool) -> Verdict:
    if state.view.owner is not None:
        return _private(product, state)
    git = product.git.open(state.view.repo)
    tree = git.tree_of(state.commit) if state.commit else ""
    root = stored_root(product, state)
    verdict = Verdict(
        repo=state.view.repo,
        ref=state.view.ref,
        commit=state.commit,
        head=git.commit_of(state.view.ref) or "",
        tree=tree,
        root=root,
        tree_proven=bool(tree) and root == tree,
    )
    if not against_fresh:
        return verdict
    found = _against_fresh(product, state, git.path)
    return msgspec.structs.replace(verdict, differing=len(found), differences=tuple(found[:SHOWN]))


def _private(product: Product, state: ViewState) -> Verdict:
    """A working copy's state is in no repository: its root is compared with the tree that git made of the files."""
    root = stored_root(product, state)
    return Verdict(
        repo=state.view.repo,
        ref=state.view.ref,
        commit=state.commit,
        head="",
        tree=state.tree,
        root=root,
        tree_proven=root == state.tree,
    )


def _against_fresh(product: Product, state: ViewState, location: Path) -> list[str]:
    with (
        tempfile.TemporaryDirectory(prefix="headwater-verify-") as folder,
        Product(Home(Path(folder)), product.treatment, OneModel(product.model)) as fresh,
    ):
        index(fresh, [Target(location, (state.commit,), state.view.repo)])
        detached = ViewKey(state.view.repo, state.commit)
        with product.catalog.pin([state.view]) as ours, fresh.catalog.pin([detached]) as theirs:
            found = list(differences(IndexedTree(product.catalog, ours), IndexedTree(fresh.catalog, theirs)))
        hashes = set(fresh.vectors.hashes())
        unmarked = hashes - product.catalog.embedded(list(hashes))  # the vectors of the others are checked one by one
        found.extend(f"chunk {h} is not embedded" for h in sorted(unmarked))
    return found
