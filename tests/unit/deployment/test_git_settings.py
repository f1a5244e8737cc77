"""Repositories by environment and by file."""

from pathlib import Path

import pytest

from headwater.deployment.parts.git import git_settings
from headwater.settings import SettingsError


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
