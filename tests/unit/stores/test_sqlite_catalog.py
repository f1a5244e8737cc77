"""What only the SQLite file has: damage, a full disk, a crash, other programs' files, fencing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from headwater.stores.catalog import (
    CatalogCorruptError,
    CatalogUnavailableError,
    Repository,
    VersionMismatchError,
)
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.catalogs import MAIN, CatalogRig
from support.git_repo import Files
from support.sample_documents import VERSION, sample_write

FILES: Files = {f"f{n}.py": b"def f%d(value):\n    return %d\n" % (n, n) for n in range(40)}


def test_e5_a_full_disk_is_unavailable_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path, VERSION)
    CatalogRig(catalog, tmp_path).push(FILES)
    catalog.close()
    full = SqliteCatalog(path, VERSION, max_pages=path.stat().st_size // 4096 + 4)
    more = [sample_write(f"more{n}.py", b"def more%d(): return %d\n" % (n, n) * 50) for n in range(50)]
    with pytest.raises(CatalogUnavailableError, match="full"):
        full.put_documents(more)
    with full.pin([MAIN]) as scope:
        assert len(full.files(scope)) == len(FILES)
    full.close()
    again = SqliteCatalog(path, VERSION)
    again.put_documents(more)
    assert again.known([w.document.key for w in more]) == {w.document.key for w in more}
    again.close()


def test_a_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    path.write_bytes(b"this is no database at all, but long enough to look at" * 100)
    with pytest.raises(CatalogCorruptError, match="delete it and index"):
        SqliteCatalog(path, VERSION)


def test_damage_inside_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path, VERSION)
    CatalogRig(catalog, tmp_path).push(FILES)
    catalog.collect(1)
    catalog.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with pytest.raises(CatalogCorruptError, match="delete it and index"):
        SqliteCatalog(path, VERSION).views()


def test_a_damaged_document_says_what_to_do(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "catalog.db", VERSION)
    CatalogRig(catalog, tmp_path).push(FILES)
    with catalog._database.transaction() as session:
        session.run("UPDATE bodies SET symbols = ?", b"not compressed")
    with catalog.pin([MAIN]) as scope, pytest.raises(CatalogCorruptError, match="headwater verify"):
        catalog.symbols_named(scope, ["f1"], 5)
    catalog.close()


def test_a_file_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path, VERSION)
    with catalog._database.transaction() as session:
        session.run("UPDATE meta SET value = '0' WHERE name = 'schema'")
    catalog.close()
    with pytest.raises(VersionMismatchError, match="made with schema 0"):
        SqliteCatalog(path, VERSION)


def test_text_mode_is_part_of_the_file(tmp_path: Path) -> None:
    SqliteCatalog(tmp_path / "catalog.db", VERSION).close()
    with pytest.raises(VersionMismatchError, match="pointers-only"):
        SqliteCatalog(tmp_path / "catalog.db", VERSION, store_text=False)


def test_a_writer_that_was_superseded_is_fenced_off(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    first = SqliteCatalog(path, VERSION)
    first.add_repository(Repository("a", "/a"))
    Path(f"{path}.lease").unlink()  # as on a file system whose locks don't hold
    second = SqliteCatalog(path, VERSION)
    second.add_repository(Repository("b", "/b"))
    with pytest.raises(CatalogUnavailableError, match="another writer took over"):
        first.add_repository(Repository("c", "/c"))
    assert [r.name for r in second.repositories()] == ["a", "b"]
    first.close()
    second.close()


_WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from headwater.stores.catalog import Repository
from headwater.stores.sqlite_catalog import SqliteCatalog
from support.sample_documents import VERSION, sample_write
catalog = SqliteCatalog(sys.argv[1], VERSION)
for n in range(1 << 20):
    catalog.put_documents([sample_write(f"k{n}.py", b"def k%d(): return 1\\n" % n)])
    print(n, flush=True)
"""


def test_kill_9_loses_nothing_acknowledged_and_the_next_writer_starts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    tests = str(Path(__file__).parents[2])
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path), tests], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = [int(writer.stdout.readline()) for _ in range(30)][-1]
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    catalog = SqliteCatalog(path, VERSION)
    keys = {sample_write(f"k{n}.py", b"def k%d(): return 1\n" % n).document.key for n in range(acknowledged + 1)}
    assert catalog.known(list(keys)) == keys
    catalog.add_repository(Repository("a", "/a"))
    catalog.close()


def test_a_catalog_in_no_folder_of_ours_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CatalogUnavailableError, match="can't be used"):
        SqliteCatalog(tmp_path / "file" / "catalog.db", VERSION)


def test_e5_a_second_writer_is_told_to_wait_and_reads_go_on(tmp_path: Path) -> None:
    first = SqliteCatalog(tmp_path / "catalog.db", VERSION)
    CatalogRig(first, tmp_path).push(FILES)
    second = SqliteCatalog(tmp_path / "catalog.db", VERSION)
    with pytest.raises(CatalogUnavailableError, match="another process writes"):
        second.add_repository(Repository("x", "y"))
    with second.pin([MAIN]) as scope:
        assert [f.path for f in second.files(scope)] == sorted(FILES)
    first.close()
    second.add_repository(Repository("x", "y"))
    second.close()
