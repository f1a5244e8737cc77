"""Which edition of the index a service works for, and the catalogs of all of them."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing

from headwater.deployment.parts.catalog import CatalogSettings, WholeCatalog
from headwater.deployment.parts.pipeline import pipeline_index
from headwater.deployment.parts.treatment import deployed_treatment
from headwater.domain.edition import WRITTEN, Edition, Editions, Phase, adopt
from headwater.domain.version import PipelineVersion
from headwater.settings import load_settings
from headwater.stores.catalog import CatalogUnavailableError, VersionMismatchError
from headwater.stores.edition_registry import EditionRegistry


class RememberedEditions:
    """What a registry says, asked again after a while; while it can't be asked, what it said last."""

    def __init__(self, registry: EditionRegistry, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._registry, self._seconds, self._clock = registry, seconds, clock
        self._known, self._asked = Editions(), float("-inf")

    def read(self) -> Editions:
        """Raises CatalogUnavailableError when nothing is known yet."""
        if self._clock() - self._asked >= self._seconds:
            try:
                self._known, self._asked = self._registry.read(), self._clock()
            except CatalogUnavailableError:
                if not self._known.rows:
                    raise
        return self._known

    def is_live(self, number: int) -> bool:
        live = self.read().live
        return live is None or live.number == number


def open_registry(environ: Mapping[str, str]) -> EditionRegistry:
    """Raises SettingsError."""
    from headwater.stores.postgres.editions import PostgresEditions

    return PostgresEditions(load_settings(CatalogSettings, "catalog", environ).url)


def open_catalog(environ: Mapping[str, str], version: PipelineVersion) -> WholeCatalog:
    """That of the service's own edition; the first service of an installation makes the first one.

    Raises SettingsError, CatalogUnavailableError, VersionMismatchError.
    """
    number = pipeline_index(environ)
    with closing(open_registry(environ)) as registry:
        editions = registry.read()
        check_belongs(editions, number, version)
        catalog = catalog_of(environ, number, version)
        if not editions.rows:
            registry.change(adopt(version, {}, time.time()))
    return catalog


def catalog_of(environ: Mapping[str, str], number: int, version: PipelineVersion) -> WholeCatalog:
    """Any edition's; made when it is absent. Raises SettingsError, CatalogUnavailableError, VersionMismatchError."""
    from headwater.stores.postgres.editions import schema_name
    from headwater.stores.postgres_catalog import PostgresCatalog

    settings = load_settings(CatalogSettings, "catalog", environ)
    treatment = deployed_treatment(environ)
    return PostgresCatalog(
        settings.url,
        version,
        store_text=not treatment.pointers_only,
        term_key=treatment.term_key,
        name=schema_name(number),
    )


def is_live(environ: Mapping[str, str], version: PipelineVersion) -> bool:
    """Whether an index of this version is the live one, or will be as the first. Raises CatalogUnavailableError."""
    with closing(open_registry(environ)) as registry:
        live = registry.read().live
    return live is None or live.version == version


def check_belongs(editions: Editions, number: int, version: PipelineVersion) -> None:
    """Raises VersionMismatchError when a service of this version may not work for edition `number`."""
    if not editions.rows and number == 1:
        return
    own = editions.get(number)
    if own is None:
        raise VersionMismatchError(f"there is no index {number}: {_known(editions)}")
    if own.phase not in WRITTEN:
        raise VersionMismatchError(f"{own} is {own.phase}: {_known(editions)}")
    if own.version != version:
        raise VersionMismatchError(
            f"this service makes {version}, but {own} is what HEADWATER_PIPELINE_INDEX={number} names:"
            f" {_known(editions)}; a new version is begun with 'headwater rollout start'"
        )


def _known(editions: Editions) -> str:
    rows: list[Edition] = [e for e in editions.rows if e.phase is not Phase.RELEASED]
    return f"there is {', '.join(f'{e}, {e.phase}' for e in rows)}" if rows else "nothing is indexed yet"
