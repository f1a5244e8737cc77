"""What a home keeps of each edition: a catalog, vectors, and the weights that a rollout was started with."""

import shutil
from pathlib import Path

from headwater.domain.edition import Edition
from headwater.embedded.models import WEIGHTS
from headwater.embedded.product import Product
from headwater.rollout.sharing import share_repositories
from headwater.stores.catalog import Catalog


class HomeEditions:
    """Implements `EditionStores`. Raises CatalogUnavailableError, VectorsUnavailableError, OSError."""

    def __init__(self, product: Product) -> None:
        self._product = product

    def lay_out(self, edition: Edition, live: Edition) -> None:
        home = self._product.home.edition(edition.number)
        if WEIGHTS in edition.source:
            _copy(Path(edition.source[WEIGHTS]), home.make().weights)
        share_repositories(self.catalog(live), self.catalog(edition))

    def follow(self, live: Edition) -> None:
        """Nothing but the row points to the live edition."""

    def drop(self, edition: Edition) -> None:
        self._product.forget(edition.number)
        home = self._product.home.edition(edition.number)
        if edition.number > 1:
            _remove(home.root)
            return
        for left in (*home.root.glob(f"{home.catalog.name}*"), home.vectors):
            _remove(left)

    def catalog(self, edition: Edition) -> Catalog:
        return self._product.edition(edition.number).catalog

    def vectors(self, edition: Edition) -> int:
        return self._product.edition(edition.number).vectors.count()


def _copy(given: Path, kept: Path) -> None:
    """Whole or not at all."""
    if kept.exists():
        return
    draft = kept.with_name(f"{kept.name}.draft")
    _remove(draft)
    shutil.copytree(given, draft)
    draft.replace(kept)


def _remove(path: Path) -> None:
    """A file or a folder; what is gone already is no error."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
