"""Answers of a pointers-only index with text from a git host over HTTP: each caller's own, grants first, in time."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from headwater.domain.answer import Answer
from headwater.domain.credential import Credential
from headwater.domain.grants import Grants
from headwater.domain.question import ContextQuestion, GrepQuestion, SearchQuestion, StructuralQuestion, UsagesQuestion
from headwater.domain.treatment import Treatment
from headwater.domain.tree import hash_blob
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.query.engine import Engine
from support.git_http import GitHost, serving
from support.git_repo import RepoBuilder

SECRET = b"def weigh_secret(herd):\n    return len(herd) * 7\n"
FILES = {
    **{f"zoo/part{n}.py": b"def weigh_%d(herd):\n    return weigh(herd, %d)\n" % (n, n) for n in range(30)},
    "zoo/scales.py": b"def weigh(herd, number):\n    return len(herd) * number\n",
    "zoo/secret.py": SECRET,
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHost]:
    root = tmp_path_factory.mktemp("host")
    RepoBuilder(root / "acme" / "zoo.git").commit(dict(FILES))
    with serving(GitHost(root, "anns")) as started:
        yield started


@pytest.fixture(scope="module")
def home(host: GitHost, tmp_path_factory: pytest.TempPathFactory) -> Home:
    made = Home(tmp_path_factory.mktemp("home"))
    with Product(made, Treatment(pointers_only=True)) as product:
        index(product, [Target(host.root / "acme" / "zoo.git", name="acme/zoo")])
    return made


@pytest.fixture
def asked(host: GitHost, home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    host.readers, host.refuses_blobs = {"anns"}, False
    host.asked.clear()
    monkeypatch.setenv("HEADWATER_ACCESS_GIT_HOST", "github")
    monkeypatch.setenv("HEADWATER_ACCESS_GIT_HOST_API", host.url)
    with Product(home, Treatment(pointers_only=True)) as product, closing(engine(product)) as opened:
        yield opened


def caller(token: str, name: str = "user:ann") -> Grants:
    return Grants(principal=name, credential=Credential.of(token))


def texts(answer: Answer) -> list[str]:
    return [r.snippet for r in answer.results]


def test_the_same_question_of_two_callers_has_each_one_s_text(asked: Engine) -> None:
    question = SearchQuestion(query="weigh_secret")
    ann, bob = caller("anns"), caller("bobs", "user:bob")
    assert texts(asked.search(question, ann)) == [SECRET.decode().rstrip("\n")]
    without = asked.search(question, bob)
    assert (texts(without), without.degraded) == ([""], ("text",))
    nobody = asked.search(question, Grants(principal="user:ann"))
    assert (texts(nobody), nobody.degraded) == ([""], ("text",))


def test_each_kind_of_answer_goes_on_without_text(asked: Engine, host: GitHost) -> None:
    ann, bob = caller("anns"), caller("bobs")
    usages = UsagesQuestion(symbol="weigh")
    assert asked.usages(usages, ann).degraded == ()
    lacking = asked.usages(usages, bob)
    assert (len(lacking.results), lacking.degraded) == (30, ("text",))
    grep = asked.grep(GrepQuestion(pattern="return weigh("), ann)
    assert (grep.degraded, len(grep.results)) == ((), 20)
    grep = asked.grep(GrepQuestion(pattern="return weigh("), bob)
    assert (grep.degraded, grep.complete, grep.results) == (("text",), False, ())
    prose = asked.search(SearchQuestion(query="how is a herd weighed by number"), bob)
    assert prose.results
    assert set(prose.degraded) == {"rerank", "text"}
    context = asked.context(ContextQuestion(query="how is a herd weighed"), bob)
    assert "text" in context.degraded
    structural = asked.structural(StructuralQuestion(words="calls of weigh", limit=100), ann)
    assert (len(structural.results), structural.problems) == (30, ())
    structural = asked.structural(StructuralQuestion(words="calls of weigh", limit=100), bob)
    assert (structural.results, structural.complete) == ((), False)
    assert structural.problems


def test_the_host_is_never_asked_for_what_the_grants_hide(asked: Engine, host: GitHost) -> None:
    hidden = Grants(
        principal="user:ann", credential=Credential.of("anns"), path_rule=lambda _repo, path: path != "zoo/secret.py"
    )
    for question in ("weigh_secret", "how is a secret herd weighed", '"weigh"', "usages of weigh"):
        asked.search(SearchQuestion(query=question), hidden)
    asked.grep(GrepQuestion(pattern="herd"), hidden)
    asked.structural(StructuralQuestion(words="calls of len"), hidden)
    asked.context(ContextQuestion(query="how are herds weighed"), hidden)
    assert host.asked
    assert [path for _, path in host.asked if hash_blob(SECRET) in path] == []


def test_a_page_of_usages_asks_for_its_own_files_alone(asked: Engine, host: GitHost) -> None:
    found = asked.search(SearchQuestion(query="usages of weigh", limit=5), caller("anns"))
    assert (found.total, len(found.results), found.degraded) == (30, 5, ())
    assert len(host.asked) == 5


def test_a_host_that_hangs_costs_the_text_and_no_more_than_the_deadline(
    asked: Engine, host: GitHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = threading.Event()
    answer = GitHost.api

    def waits(self: GitHost, token: str, path: str) -> tuple[int, bytes]:
        opened.wait()
        return answer(self, token, path)

    monkeypatch.setattr(GitHost, "api", waits)
    found = asked.search(SearchQuestion(query="weigh_secret", timeout_s=1.0), caller("anns"))
    opened.set()
    assert (texts(found), found.degraded) == ([""], ("text",))


def test_what_a_revoked_caller_was_shown_is_not_shown_to_it_again_for_long(asked: Engine, host: GitHost) -> None:
    """In another process nothing is remembered at all; in this one for the time stated."""
    question = SearchQuestion(query="weigh_secret")
    assert texts(asked.search(question, caller("anns"))) != [""]
    host.readers = set()
    assert texts(asked.search(question, caller("anns"))) != [""]
    assert asked.search(SearchQuestion(query="weigh_1"), caller("anns")).degraded == ("text",)


def test_the_home_keeps_nothing_of_what_was_shown(asked: Engine, home: Home) -> None:
    asked.search(SearchQuestion(query="weigh_secret"), caller("anns"))
    held = [p for p in Path(home.root).rglob("*") if p.is_file() and b"len(herd) * 7" in p.read_bytes()]
    assert held == []
