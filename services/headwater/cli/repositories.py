"""Repositories as commands name them."""

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.embedded.product import Product
from headwater.stores.catalog import Repository


def named_repository(product: Product, name: str) -> Repository:
    """Raises CommandError, which lists the known ones."""
    repositories = {r.name: r for r in product.catalog.repositories()}
    if name not in repositories:
        known = ", ".join(repositories) or "none"
        raise CommandError(f"no repository '{name}' here; known: {known}", ExitStatus.NOT_FOUND, "NOT_FOUND")
    return repositories[name]


def set_paused(product: Product, name: str, paused: bool) -> None:
    """Raises CommandError."""
    product.catalog.add_repository(msgspec.structs.replace(named_repository(product, name), paused=paused))
