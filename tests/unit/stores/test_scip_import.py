"""For which commit a compiler-made index is taken."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.domain.view import ViewKey, private_ref
from headwater.stores.compiled_indexes import FolderCompiledIndexes
from headwater.stores.index_reader import Scope
from headwater.stores.scip_import import NotIndexedError, import_scip
from support.small_index import SmallIndex


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SmallIndex]:
    made = SmallIndex(tmp_path, StaticModel())
    yield made
    made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    empty = tmp_path / "index.scip"
    empty.touch()
    return empty


def test_no_working_copy_is_taken_for_the_newest_commit(index: SmallIndex, file: Path, tmp_path: Path) -> None:
    commit = index.commit({"a.py": "x = 1\n"})
    index.commit({"a.py": "x = 2\n"}, ref=private_ref("user:bob", "shop-1a2b3c"))
    report = import_scip(index.catalog, FolderCompiledIndexes(tmp_path / "compiled"), "shop", "", file)
    assert report.commit == commit


def test_a_view_that_moved_on_is_said(
    index: SmallIndex, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.commit({"a.py": "x = 1\n"})
    pin = index.catalog.pin

    def late(views: list[ViewKey]) -> AbstractContextManager[Scope]:
        index.commit({"a.py": "x = 2\n"})
        return pin(views)

    monkeypatch.setattr(index.catalog, "pin", late)
    compiled = FolderCompiledIndexes(tmp_path / "compiled")
    with pytest.raises(NotIndexedError, match="moved on"):
        import_scip(index.catalog, compiled, "shop", "", file)
