"""Repositories as commands name them: of the home, or of the system whose catalog the environment names."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.stores.catalog import Catalog, Repository


def is_deployed() -> bool:
    """Whether a streaming system is meant."""
    return bool(os.environ.get("HEADWATER_CATALOG_URL"))


@contextmanager
def catalogs() -> Iterator[Sequence[Catalog]]:
    """Of a streaming system those of all editions of its index, else the home's own.

    Raises SettingsError, CatalogUnavailableError.
    """
    if not is_deployed():
        with Product(Home.default()) as product:
            yield [product.catalog]
        return
    from headwater.deployment.parts.editions import catalog_of, open_registry

    with ExitStack() as opened:
        written = opened.enter_context(closing(open_registry(os.environ))).read().written
        yield [opened.enter_context(closing(catalog_of(os.environ, e.number, e.version))) for e in written]


def named_repository(catalog: Catalog, name: str) -> Repository:
    """Raises CommandError, which lists the known ones."""
    repositories = {r.name: r for r in catalog.repositories()}
    if name not in repositories:
        known = ", ".join(repositories) or "none"
        raise CommandError(f"no repository '{name}' here; known: {known}", ExitStatus.NOT_FOUND, "NOT_FOUND")
    return repositories[name]


def set_paused(name: str, paused: bool) -> None:
    """Raises CommandError."""
    with catalogs() as found:
        for catalog in found:
            catalog.add_repository(msgspec.structs.replace(named_repository(catalog, name), paused=paused))
