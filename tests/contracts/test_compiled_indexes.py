"""One suite for both stores of compiler-made indexes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from headwater.domain.scip.compiled import CompiledIndex, Token
from headwater.stack import Running
from headwater.stores.compiled_indexes import COMMITS_KEPT, CompiledIndexes, FolderCompiledIndexes
from headwater.stores.postgres.compiled_indexes import PostgresCompiledIndexes

Opener = Callable[[], CompiledIndexes]


@pytest.fixture(
    params=["folder", pytest.param("postgres", marks=(pytest.mark.stack, pytest.mark.xdist_group("stack")))]
)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    if request.param == "folder":
        yield lambda: FolderCompiledIndexes(tmp_path)
        return
    server: Running = request.getfixturevalue("postgres")
    url, name = f"postgresql://app@127.0.0.1:{server.ports['sql']}/postgres", f"test_{uuid4().hex[:12]}"
    opened: list[PostgresCompiledIndexes] = []

    def open_store() -> CompiledIndexes:
        opened.append(PostgresCompiledIndexes(url, name))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


def index(symbol: str, path: str = "a.py") -> CompiledIndex:
    return CompiledIndex({path: (Token(1, 1, symbol, 1), Token(2, 5, symbol, 0))})


def test_before_the_first_import_nothing_is_known(opener: Opener) -> None:
    assert opener().get("demo", "c1") is None


def test_an_import_is_seen_by_everybody_for_its_commit_alone(opener: Opener) -> None:
    one, other = opener(), opener()
    one.put("demo", "c1", index("s"))
    for store in (one, other, opener()):
        found = store.get("demo", "c1")
        assert found is not None
        assert found.symbol_at("a.py", 2, 5) == "s"
        assert [path for path, _token in found.uses("s")] == ["a.py"]
        assert store.get("demo", "c2") is None
        assert store.get("démo", "c1") is None


def test_a_later_import_replaces_the_former_one(opener: Opener) -> None:
    one, other = opener(), opener()
    one.put("demo", "c1", index("old"))
    assert other.get("demo", "c1") is not None
    one.put("demo", "c1", index("new"))
    found = other.get("demo", "c1")
    assert found is not None
    assert (found.symbol_at("a.py", 1, 1), found.uses("old")) == ("new", [])


def test_the_last_imports_of_a_repository_are_kept(opener: Opener) -> None:
    store = opener()
    store.put("other", "c0", index("s"))
    for number in range(COMMITS_KEPT + 2):
        store.put("demo", f"c{number}", index("s"))
    kept = [number for number in range(COMMITS_KEPT + 2) if store.get("demo", f"c{number}") is not None]
    assert kept == list(range(2, COMMITS_KEPT + 2))
    assert store.get("other", "c0") is not None
