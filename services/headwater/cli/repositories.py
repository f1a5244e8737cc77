"""Repositories as commands name them: of the home, or of the system whose catalog the environment names."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import msgspec

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.domain.repository_name import called
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.whereabouts import repository_at
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


def named_repository(known: Iterable[Repository], name: str) -> Repository:
    """By its name, the end of it, or a path in it. Raises CommandError, which lists the known ones."""
    repositories = {r.name: r for r in known}
    found = called(repositories, name) or [here for here in [repository_at(repositories.values(), name)] if here]
    if len(found) != 1:
        which = f"'{name}' may be several repositories" if found else f"no repository '{name}' here"
        near = ", ".join(found or repositories) or "none"
        raise CommandError(f"{which}; known: {near}", ExitStatus.NOT_FOUND, "NOT_FOUND")
    return repositories[found[0]]


def set_paused(name: str, paused: bool) -> str:
    """Gives the repository's whole name. Raises CommandError."""
    with catalogs() as found:
        for catalog in found:
            repository = named_repository(catalog.repositories(), name)
            catalog.add_repository(msgspec.structs.replace(repository, paused=paused))
            name = repository.name
    return name
