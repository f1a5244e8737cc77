"""What is lost or altered in an embedded home is found, said by answers, and made again by an indexing run alone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from headwater.cli.command_error import ExitStatus
from headwater.cli.main import main
from support.git_repo import Files, RepoBuilder

FILES: Files = {
    f"src/m{n}.py": f'def handler_{n}(request):\n    """Answer request {n}."""\n    return {n}\n'.encode()
    for n in range(9)
}


def _zero_half(folder: Path) -> None:
    path = folder / "rows.1.i8"
    raw = path.read_bytes()
    path.write_bytes(bytes(len(raw) // 2) + raw[len(raw) // 2 :])


def _swap(folder: Path) -> None:
    path, width = folder / "rows.1.i8", 256
    raw = path.read_bytes()
    path.write_bytes(raw[width : 2 * width] + raw[:width] + raw[2 * width :])


ROWS = {
    "bodies": "DELETE FROM bodies WHERE document = 2",
    "texts": "UPDATE texts SET body = (SELECT body FROM texts WHERE id = 3) WHERE id = 2",
    "chunks": "DELETE FROM chunks WHERE document = 3",
    "symbols": "UPDATE symbols SET line = 9 WHERE document = 4",
    "postings": "DELETE FROM postings WHERE term = 'request'",
    "text_grams": "DELETE FROM text_grams WHERE rowid = 2",
    "documents": "DELETE FROM documents WHERE id = 3",
    "entries": "DELETE FROM entries WHERE name = 'm4.py'",
    "folder": "UPDATE entries SET oid = (SELECT oid FROM entries WHERE name = 'm4.py') WHERE name = 'src'",
    "directories": "UPDATE directories SET path = 'scr' WHERE path = 'src'",
    "generations": "UPDATE generations SET commit_id = '', tree = ''",
}
DAMAGES: dict[str, Callable[[Path], object]] = {
    "folder deleted": shutil.rmtree,
    "matrix truncated": lambda folder: (folder / "rows.1.i8").write_bytes((folder / "rows.1.i8").read_bytes()[:700]),
    "matrix deleted": lambda folder: (folder / "rows.1.i8").unlink(),
    "matrix half zeroed": _zero_half,
    "rows swapped": _swap,
    "log deleted": lambda folder: (folder / "hashes.1.log").unlink(),
    "log cut": lambda folder: (folder / "hashes.1.log").write_bytes((folder / "hashes.1.log").read_bytes()[:85]),
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HEADWATER_HOME", str(tmp_path / "home"))
    git = RepoBuilder(tmp_path / "shop.git")
    git.commit(FILES)
    return str(git.path)


class Asked:
    """The command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = ExitStatus.OK) -> str:
        assert main(list(arguments)) == status
        return self._capsys.readouterr().out

    def degraded(self) -> list[str]:
        found: list[str] = json.loads(self("search", "which function answers a request", "--json"))["degraded"]
        return found


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Asked:
    return Asked(capsys)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_s11_lost_vectors_are_said_found_and_made_again(
    asked: Asked, repository: str, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    asked("index", repository)
    assert asked.degraded() == []
    damage(tmp_path / "home" / "vectors")
    assert asked.degraded() == ["vector"]
    said = asked("verify", "--roots-only", status=ExitStatus.FAILED)
    assert f"to repair: headwater index {repository}" in said
    vectors = json.loads(asked("verify", "--roots-only", "--json", status=ExitStatus.FAILED))["vectors"]
    lost = sum(vectors["lost"].values())
    assert 0 < lost <= vectors["compared"]
    [view] = json.loads(asked("index", repository, "--json"))["views"]
    assert view["chunks"]["embedded"] == lost
    assert asked.degraded() == []
    assert json.loads(asked("verify", "--json"))["ok"]


def test_s11_other_repositories_stay_degraded_until_they_are_indexed_again(
    asked: Asked, repository: str, tmp_path: Path
) -> None:
    git = RepoBuilder(tmp_path / "other.git")
    git.commit({"other.py": b"def something_else():\n    return 'else'\n"})
    asked("index", repository, str(git.path))
    shutil.rmtree(tmp_path / "home" / "vectors")
    asked("index", str(git.path))
    assert asked.degraded() == ["vector"]
    asked("index", repository)
    assert asked.degraded() == []


@pytest.mark.parametrize("table", ROWS)
def test_s11_damaged_catalog_rows_are_found_and_made_again(
    asked: Asked, repository: str, tmp_path: Path, table: str
) -> None:
    asked("index", repository)
    connection = apsw.Connection(str(tmp_path / "home" / "catalog.db"))
    connection.execute(ROWS[table])
    connection.close()
    said = asked("verify", "--roots-only", status=ExitStatus.FAILED)
    assert f"to repair: headwater index {repository}" in said
    asked("index", repository)
    assert json.loads(asked("verify", "--json"))["ok"]


@pytest.mark.parametrize("cut", [0, 100, 5_000, 60_000])
def test_s11_a_catalog_file_that_is_cut_or_overwritten_says_what_to_do(
    asked: Asked, repository: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], cut: int
) -> None:
    asked("index", repository)
    path = tmp_path / "home" / "catalog.db"
    raw = path.read_bytes()
    for damaged in (raw[:cut], raw[:cut] + b"\xa5" * 4096 + raw[cut + 4096 :]):
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        path.write_bytes(damaged)
        for arguments in (["search", "which function answers a request"], ["verify", "--roots-only"]):
            status = main(arguments)
            said = capsys.readouterr()
            assert "Traceback" not in said.err
            assert status in (
                ExitStatus.OK,
                ExitStatus.NOT_FOUND,
                ExitStatus.USAGE,
                ExitStatus.FAILED,
                ExitStatus.BUSY,
            ), said.err
