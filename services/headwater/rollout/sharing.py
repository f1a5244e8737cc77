"""What other editions take over from the live one besides pushes: which repositories there are."""

from headwater.stores.catalog import Catalog


def share_repositories(live: Catalog, other: Catalog) -> None:
    """`other` has the live edition's repositories and no others. Raises CatalogUnavailableError."""
    wanted, mine = live.repositories(), other.repositories()
    for repository in wanted:
        if repository not in mine:
            other.add_repository(repository)
    for name in {r.name for r in mine} - {r.name for r in wanted}:
        other.remove_repository(name)
