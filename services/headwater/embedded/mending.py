"""Makes damaged rows of the catalog again from git, once `verify` has left word of them."""

import logging
import time

from headwater.domain.merkle import recompute_root
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewState
from headwater.embedded.product import Product
from headwater.events import CommitReceived

log = logging.getLogger("headwater")


def mend(product: Product) -> None:
    """Cheap when there is no word of damage; else everything is proven, and every view that is short brought back.

    Raises PipelineStalledError, CatalogUnavailableError, CatalogCorruptError.
    """
    if not product.home.damaged.exists():
        return
    catalog = product.catalog
    taken = catalog.take_back(catalog.prove_all().damages)
    log.warning("%d files of the catalog are damaged and made again", len(taken.paths))
    for state in catalog.views():
        if state.deleted or not state.published or state.view.owner is not None:
            continue
        if state.view in taken.views or not is_proven(product, state):
            catalog.delete_view(state.view)  # its manifest is written anew, over the documents that are there
            paths: tuple[str, ...] = ()
        else:
            with catalog.pin([state.view]) as scope:
                paths = tuple(sorted({row.path for row in catalog.files(scope)} & set(taken.paths)))
        event = CommitReceived(
            repo=state.view.repo, ref=state.view.ref, after="", pushed_at=time.time(), cause="repair", paths=paths
        )
        product.run([event])
    product.home.damaged.unlink(missing_ok=True)


def is_proven(product: Product, state: ViewState) -> bool:
    """The root that follows from the view's leaves is its commit's tree."""
    tree = product.git.open(state.view.repo).tree_of(state.commit) if state.commit else ""
    return stored_root(product, state) == tree


def stored_root(product: Product, state: ViewState) -> str:
    """Recomputed from the leaves; "" where not all of them can be found."""
    try:
        return recompute_root(product.catalog.tree_reader(state.view, state.published))
    except TreeUnreadableError:
        return ""
