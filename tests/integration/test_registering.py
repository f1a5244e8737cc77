"""What commit-ingest's start does to repositories that the catalog knows."""

from pathlib import Path

from headwater.deployment.commit_ingest import register
from headwater.stores.catalog import Repository
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.rig import MODEL


def test_a_paused_repository_stays_paused_when_it_is_registered_again(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "catalog.db", MODEL.version)
    register(catalog, {"shop": "/old", "lib": "/lib"})
    catalog.add_repository(Repository("shop", "/old", paused=True))
    register(catalog, {"shop": "/new", "lib": "/lib"})
    assert sorted(catalog.repositories(), key=lambda r: r.name) == [
        Repository("lib", "/lib"),
        Repository("shop", "/new", paused=True),
    ]
    catalog.close()
