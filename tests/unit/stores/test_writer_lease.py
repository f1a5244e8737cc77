"""A writer that fails, however it fails, gives its lease back: the next write works, here and in another process."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from headwater.runtime import private_files
from headwater.stores.catalog import CatalogUnavailableError
from headwater.stores.sqlite.database import SqliteDatabase
from headwater.stores.sqlite.pin_files import PinFiles

WRITE = "INSERT INTO counters(name, value) VALUES(?, 1) ON CONFLICT DO NOTHING"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    made = SqliteDatabase(tmp_path / "home" / "catalog.db")
    made.prepare({})
    yield made
    made.close()


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError, apsw.InterruptError, MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize("at", ["_connect", "_stored_epoch", "_set_up"])
def test_s8_a_writer_that_fails_at_its_start_gives_the_lease_back(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch, at: str, error: type[BaseException]
) -> None:
    def fail(*_arguments: object, **_named: object) -> None:
        raise error("planted")

    with monkeypatch.context() as failing:
        failing.setattr(SqliteDatabase, at, fail)
        with pytest.raises((CatalogUnavailableError, MemoryError, KeyboardInterrupt)):
            database.write(lambda session: session.run(WRITE, "a"))
    other = SqliteDatabase(database.path)
    other.write(lambda session: session.run(WRITE, "b"))
    other.close()
    database.write(lambda session: session.run(WRITE, "c"))


def test_s8_a_connection_that_cannot_roll_back_is_given_up(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.write(lambda session: session.run(WRITE, "a"))

    class Stuck:
        in_transaction = True

        def __init__(self, real: apsw.Connection) -> None:
            self.close = real.close

        def execute(self, _sql: str) -> None:
            raise apsw.IOError("planted")

    assert database._writer is not None
    database._roll_back(Stuck(database._writer.connection))  # type: ignore[arg-type]
    database.write(lambda session: session.run(WRITE, "b"))


def test_s8_pins_that_could_not_be_written_are_not_held_and_block_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = PinFiles(tmp_path / "pins")

    def full(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as failing:
        failing.setattr(os, "pwrite", full)
        for _ in range(2):
            with pytest.raises(CatalogUnavailableError, match="No space"):
                pins.hold([(1, 1)])
    pins.hold([(2, 2)])
    assert set(pins.held()) == {(2, 2)}
    pins.close()


def test_s8_a_lock_that_fails_leaves_no_descriptor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(private_files.fcntl, "flock", fail)
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(OSError, match="Input/output"):
            private_files.take_lock(tmp_path / "lock")
        assert len(os.listdir("/proc/self/fd")) == before
    private_files.take_lock(tmp_path / "lock").release()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("a small disk can't be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("began", [True, False], ids=["while it writes", "before its first write"])
def test_s8_a_disk_that_was_full_is_written_to_again(small_disk: Path, began: bool) -> None:
    database = SqliteDatabase(small_disk / "catalog.db")
    database.prepare({})
    if began:
        database.write(lambda session: session.run(WRITE, "first"))
    filler = small_disk / "filler"
    with suppress(OSError), filler.open("wb", 0) as file:
        while file.write(bytes(4096)):
            pass
    for number in range(3):
        with pytest.raises(CatalogUnavailableError) as refused:
            database.write(lambda session, n=number: session.run(WRITE, f"{n}{'x' * 50_000}"))
        assert "another process" not in str(refused.value)
    filler.unlink()
    database.write(lambda session: session.run(WRITE, "again"))
    other = SqliteDatabase(database.path)
    with pytest.raises(CatalogUnavailableError, match="another process"):
        other.write(lambda session: session.run(WRITE, "other"))
    database.close()
    other.write(lambda session: session.run(WRITE, "other"))
    other.close()
