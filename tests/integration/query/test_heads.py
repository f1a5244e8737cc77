"""How far a view is from its git host: the head, and the paths on which what is searchable differs from it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwater.clients.static_model import StaticModel
from headwater.domain.answer import ViewFreshness
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.question import FreshnessQuestion, SearchQuestion
from headwater.domain.view import ViewState
from headwater.query.engine import RETRIEVAL_THREADS, Engine, Parts
from headwater.query.heads import MOST_NAMED, GitHeads, Head
from headwater.query.retrieval import VectorSide
from headwater.rpc.convert import freshness_response
from headwater.rpc.requests import freshness_answer
from headwater.stores.git_source import LocalGitSource
from support.git_repo import Files, RepoBuilder
from support.rig import Rig, received
from support.small_index import SmallIndex

MAIN = "refs/heads/main"
FILES: Files = {"a.py": b"def a(): pass\n", "b.py": b"def b(): pass\n", "secret/c.py": b"def c(): pass\n"}
Ask = Callable[..., ViewFreshness]


@pytest.fixture
def git(tmp_path: Path) -> RepoBuilder:
    made = RepoBuilder(tmp_path / "r.git")
    made.commit(FILES)
    return made


@pytest.fixture
def ask(tmp_path: Path, git: RepoBuilder) -> Iterator[Ask]:
    """The freshness of the one view, as it arrives through the protocol."""
    rig = Rig(tmp_path, git.path)
    rig.run([received(MAIN)])
    engine = Engine(Parts(reader=rig.catalog, head_of=GitHeads(lambda: rig.catalog, rig.git)))

    def freshness(grants: Grants = ALLOW_ALL) -> ViewFreshness:
        answer = freshness_answer(freshness_response(engine.freshness(FreshnessQuestion(refs=("main",)), grants)))
        return answer.views[0]

    yield freshness
    engine.close()
    rig.close()


def test_a_view_at_its_head_differs_nowhere(ask: Ask) -> None:
    view = ask()
    assert (view.head, view.divergent_files, view.divergent_paths) == (view.commit, 0, ())


def test_a_push_that_is_not_searchable_yet_shows_by_path(ask: Ask, git: RepoBuilder) -> None:
    head = git.commit({"a.py": b"def changed(): pass\n", "b.py": FILES["b.py"], "new.py": b"x = 1\n"})
    view = ask()
    assert (view.head, view.divergent_files) == (head, 3)
    assert view.divergent_paths == ("a.py", "new.py", "secret/c.py")


def test_what_the_caller_may_not_read_is_neither_named_nor_counted(ask: Ask, git: RepoBuilder) -> None:
    git.commit({"a.py": b"def changed(): pass\n", "b.py": FILES["b.py"], "secret/c.py": b"other = 1\n"})
    view = ask(Grants(path_rule=lambda _repo, path: not path.startswith("secret/")))
    assert (view.divergent_files, view.divergent_paths) == (1, ("a.py",))


def test_of_many_paths_the_first_are_named(ask: Ask, git: RepoBuilder) -> None:
    git.commit({**FILES, **{f"m{n:03}.py": b"x = 1\n" for n in range(200)}})
    view = ask()
    assert (view.divergent_files, len(view.divergent_paths)) == (200, MOST_NAMED)


def test_a_ref_that_the_host_has_no_more_has_no_head(ask: Ask, git: RepoBuilder) -> None:
    git.delete(MAIN)
    assert ask().head == ""


def test_a_host_that_can_not_be_read_tells_nothing(tmp_path: Path, git: RepoBuilder) -> None:
    rig = Rig(tmp_path, git.path)
    rig.run([received(MAIN)])
    nowhere = GitHeads(lambda: rig.catalog, LocalGitSource({}.get))
    assert [nowhere(state) for state in rig.catalog.views()] == [None]
    rig.close()


def test_a_host_that_does_not_answer_in_time_is_unknown(tmp_path: Path, git: RepoBuilder) -> None:
    gate = threading.Event()

    def slow(_state: ViewState) -> Head | None:
        gate.wait(20)
        return None

    rig = Rig(tmp_path, git.path)
    rig.run([received(MAIN)])
    engine = Engine(Parts(reader=rig.catalog, head_of=slow))
    view = engine.freshness(FreshnessQuestion(refs=("main",), timeout_s=0.2)).views[0]
    assert (view.head, view.divergent_files) == (None, 0)
    gate.set()
    engine.close()
    rig.close()


def test_a_host_that_hangs_holds_back_no_search(tmp_path: Path) -> None:
    gate = threading.Event()

    def hanging(_state: ViewState) -> Head | None:
        gate.wait(20)
        return None

    index = SmallIndex(tmp_path, StaticModel())
    index.commit({"a.py": "def alpha():\n    return 1\n"})
    vectors = VectorSide(index.model, index.vectors)
    engine = Engine(Parts(reader=index.catalog, vectors=vectors, head_of=hanging))
    for _ in range(RETRIEVAL_THREADS):
        engine.freshness(FreshnessQuestion(timeout_s=0.01))
    assert engine.search(SearchQuestion(query="how is alpha returned", timeout_s=5)).degraded == ()
    gate.set()
    engine.close()
    index.close()
