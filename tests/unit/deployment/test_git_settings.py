"""Repositories by environment and by file."""

from pathlib import Path

import pytest

from headwater.deployment.parts.git import RememberedLocations, git_settings
from headwater.settings import SettingsError
from headwater.stores.catalog import Repository
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.rig import MODEL


def test_variable_and_file_together(tmp_path: Path) -> None:
    file = tmp_path / "repositories"
    file.write_text("# ours\nshop=https://git.example.com/shop.git?a=b\n\n  till=/srv/till.git  \n", "utf-8")
    environ = {"HEADWATER_GIT_REPOSITORIES": "lib=/srv/lib.git", "HEADWATER_GIT_REPOSITORIES_FILE": str(file)}
    assert git_settings(environ).locations() == {
        "lib": "/srv/lib.git",
        "shop": "https://git.example.com/shop.git?a=b",
        "till": "/srv/till.git",
    }


@pytest.mark.parametrize("text", ["shop\n", "=x\n", "shop=\n"])
def test_a_line_without_name_or_location_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "repositories"
    file.write_text(text, "utf-8")
    with pytest.raises(SettingsError, match="name=location"):
        git_settings({"HEADWATER_GIT_REPOSITORIES_FILE": str(file)}).locations()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="file of repositories"):
        git_settings({"HEADWATER_GIT_REPOSITORIES_FILE": str(tmp_path / "none")}).locations()


def test_locations_are_read_once_for_many_questions(tmp_path: Path) -> None:
    catalog, now, reads = SqliteCatalog(tmp_path / "catalog.db", MODEL.version), [0.0], 0
    catalog.add_repository(Repository("shop", "/srv/shop.git"))

    def live() -> SqliteCatalog:
        nonlocal reads
        reads += 1
        return catalog

    location = RememberedLocations(live, 1.0, lambda: now[0])
    assert [location("shop"), location("lib")] == ["/srv/shop.git", None]
    catalog.add_repository(Repository("lib", "/srv/lib.git"))
    assert (location("lib"), reads) == (None, 1)
    now[0] = 1.0
    assert (location("lib"), reads) == ("/srv/lib.git", 2)
    catalog.close()
