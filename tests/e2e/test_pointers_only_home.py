"""A home in pointers-only mode holds no source in any file, and answers with text all the same."""

import logging
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from headwater.domain.query_error import QueryError
from headwater.domain.question import (
    DefinitionsQuestion,
    FilesQuestion,
    GrepQuestion,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.domain.treatment import Treatment
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from support.canaries import CANARIES, FILES, ask_everything, found_below
from support.git_repo import RepoBuilder

POINTERS = Treatment(pointers_only=True)


@pytest.fixture
def zoo(tmp_path: Path) -> RepoBuilder:
    git = RepoBuilder(tmp_path / "host" / "zoo.git")
    git.commit({path: content for path, content in FILES.items() if "big" not in path})
    git.commit(FILES)
    return git


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for everything: the home, temporary files, and a log of everything that is said."""
    folder = tmp_path / "written"
    (folder / "tmp").mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    log = logging.FileHandler(folder / "debug.log")
    root = logging.getLogger()
    before = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    yield folder
    root.removeHandler(log)
    root.setLevel(before)
    log.close()


def make(home: Path, zoo: RepoBuilder, treatment: Treatment) -> dict[str, str]:
    with Product(Home(home), treatment) as product:
        index(product, [Target(zoo.path)])
        with closing(engine(product)) as asked:
            asked.files(FilesQuestion())
            return ask_everything(asked)


def test_nothing_that_is_written_holds_source(zoo: RepoBuilder, written: Path) -> None:
    texts = make(written / "home", zoo, POINTERS)
    assert [name for name, text in texts.items() if not text] == []
    assert found_below(written) == {}


def test_the_same_search_finds_source_where_it_is_kept(zoo: RepoBuilder, written: Path) -> None:
    plain = make(written / "home", zoo, Treatment())
    found = {canary for canaries in found_below(written).values() for canary in canaries}
    assert set(CANARIES) - found == {"qzhidden"}  # ignored, and kept out as a secret
    assert plain == make(written / "other", zoo, POINTERS)


def test_a_repository_that_is_away_costs_the_text_alone(zoo: RepoBuilder, written: Path) -> None:
    with Product(Home(written / "home"), POINTERS) as product:
        index(product, [Target(zoo.path)])
    os.rename(zoo.path, zoo.path.with_name("gone.git"))
    with Product(Home(written / "home"), POINTERS) as product, closing(engine(product)) as asked:
        found = asked.search(SearchQuestion(query="weigh_wombats"))
        assert [(r.path, r.snippet) for r in found.results] == [("zoo/keeper.py", "")]
        assert found.degraded == ("text",)
        assert asked.usages(UsagesQuestion(symbol="report")).degraded == ("text",)
        grep = asked.grep(GrepQuestion(pattern="qzliteral"))
        assert (grep.results, grep.complete, grep.degraded) == ((), False, ("text",))
        structural = asked.structural(StructuralQuestion(words="calls of report"))
        assert not structural.complete
        assert structural.problems
        with pytest.raises(QueryError):
            asked.definitions(DefinitionsQuestion(symbol="no_such_thing"))
