"""What is made is for its owner alone whatever the umask, follows no planted link, and is replaced whole."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwater.runtime.private_files import (
    LockedError,
    make_private,
    open_private,
    open_to_others,
    private_folder,
    replace_file,
    take_lock,
)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_s14_folders_and_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "a" / "b")
    replace_file(folder / "whole", b"x")
    make_private(folder / "c" / "named")
    with take_lock(folder / "lock"), pytest.raises(LockedError), take_lock(folder / "lock", wait=False):
        pass
    os.close(open_private(folder / "log", os.O_WRONLY | os.O_APPEND))
    for path in (tmp_path / "a").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert not open_to_others(tmp_path / "a")


def test_s14_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "state").symlink_to(victim)
    for flags in (os.O_WRONLY, os.O_RDWR | os.O_TRUNC):
        with pytest.raises(OSError, match="symbolic link"):
            open_private(tmp_path / "state", flags)
    replace_file(tmp_path / "state", b"new")
    assert victim.read_bytes() == b"precious"
    assert (tmp_path / "state").read_bytes() == b"new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand a folder to somebody else")
def test_s14_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", 12345, 12345)
    with pytest.raises(PermissionError, match="another user"):
        private_folder(tmp_path / "theirs")


def test_a_replacement_that_fails_leaves_the_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_file(tmp_path / "state", b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(tmp_path / "state", b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["state"]
    assert (tmp_path / "state").read_bytes() == b"old"
