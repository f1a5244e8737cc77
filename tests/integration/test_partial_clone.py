"""Clones that left objects at their host: fetched when they are read, else every answer says that it isn't complete."""

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwater.domain.grants import Grants
from headwater.domain.query_error import NotFoundError
from headwater.domain.question import (
    ContextQuestion,
    DefinitionsQuestion,
    GrepQuestion,
    SearchQuestion,
    StructuralQuestion,
    UsagesQuestion,
)
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.working_copies import follower, registered
from headwater.query.engine import Engine
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.mirror_source import MirrorGitSource
from headwater.stores.partial_clone import PartialClone, is_trusted, open_repository
from support.git_repo import RepoBuilder

FILES = {
    "src/a.py": b"def needle():\n    return 1\n",
    "src/deep/er/b.py": b"from src.a import needle\n\n\ndef other():\n    return needle()\n",
    "large.txt": b"needle\n" + b"something else\n" * 40_000,
}
Clone = Callable[[str], Path]


@pytest.fixture
def host(tmp_path: Path) -> RepoBuilder:
    built = RepoBuilder(tmp_path / "host.git")
    built.repo.config["uploadpack.allowFilter"] = "true"
    built.commit(FILES)
    return built


@pytest.fixture
def clone(host: RepoBuilder, tmp_path: Path) -> Clone:
    def make(kind: str) -> Path:
        place = tmp_path / "clone.git"
        command = ["git", "clone", "-q", "--bare", f"--filter={kind}", f"file://{host.path}", str(place)]
        subprocess.run(command, check=True, timeout=60)
        return place

    return make


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    with Product(Home(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def asked(product: Product) -> Iterator[Engine]:
    opened = engine(product)
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", ["blob:none", "blob:limit=1k", "tree:0", "tree:2"])
def test_r3_what_a_partial_clone_left_at_its_host_is_fetched(
    product: Product, asked: Engine, clone: Clone, kind: str
) -> None:
    place = clone(kind)
    before = sorted(place.rglob("*"))
    report = index(product, [Target(place)])
    assert (report.problems, report.views[0].files.parked, report.views[0].tree_proven) == ((), 0, True)
    answer = asked.grep(GrepQuestion(pattern="needle", limit=500))
    assert {r.path for r in answer.results} == set(FILES)
    assert "unreadable_files" not in answer.degraded
    assert sorted(place.rglob("*")) == before  # nothing is written into a repository


def test_r3_later_pushes_of_a_partial_clone_are_followed(
    product: Product, asked: Engine, clone: Clone, host: RepoBuilder
) -> None:
    place = clone("tree:0")
    index(product, [Target(place)])
    host.commit({**FILES, "src/deep/new.py": b"def newest(): pass\n"})
    command = ["git", "-C", str(place), "fetch", "-q", "origin", "+refs/heads/*:refs/heads/*"]
    subprocess.run(command, check=True, timeout=60)
    assert index(product, [Target(place)]).problems == ()
    assert asked.grep(GrepQuestion(pattern="newest")).total == 1


QUESTIONS = [
    GrepQuestion(pattern="nothing_like_it"),
    SearchQuestion(query="needle"),
    SearchQuestion(query="where is it kept"),
    ContextQuestion(query="needle"),
]


def test_r3_without_the_host_every_answer_says_what_it_lacks_until_the_host_is_back(
    product: Product, asked: Engine, clone: Clone, host: RepoBuilder, tmp_path: Path
) -> None:
    place = clone("blob:none")
    host.path.rename(tmp_path / "away.git")
    report = index(product, [Target(place)])
    assert report.views[0].files.parked == len(FILES)
    assert "parked" in report.problems[0]
    for question in QUESTIONS:
        method = {"G": asked.grep, "S": asked.search, "C": asked.context}[type(question).__name__[0]]
        answer = method(question)
        assert (answer.complete, "unreadable_files" in answer.degraded) == (False, True), question
    assert not asked.structural(StructuralQuestion(words="calls of needle")).complete
    for ask, asking in ((asked.usages, UsagesQuestion), (asked.definitions, DefinitionsQuestion)):
        with pytest.raises(NotFoundError):
            ask(asking(symbol="needle"))
    (tmp_path / "away.git").rename(host.path)
    product.git._open = threading.local()  # as another process, which hasn't met the silence
    assert index(product, [Target(place)]).problems == ()
    answer = asked.grep(GrepQuestion(pattern="needle", limit=500))
    assert {r.path for r in answer.results} == set(FILES)
    assert "unreadable_files" not in answer.degraded


def test_r3_an_answer_lacks_only_what_its_question_selects_and_its_caller_may_read(
    product: Product, asked: Engine, host: RepoBuilder, tmp_path: Path
) -> None:
    lost = host.repo.create_blob(b"def lost(): pass\n")
    host.commit({**FILES, "hidden/lost.py": b"def lost(): pass\n"})
    (host.path / "objects" / str(lost)[:2] / str(lost)[2:]).unlink()
    assert index(product, [Target(host.path)]).views[0].files.parked == 1

    def whole(grants: Grants, *globs: str) -> tuple[bool, bool]:
        answer = asked.grep(GrepQuestion(pattern="nothing_like_it", path_globs=globs), grants)
        return answer.complete, "unreadable_files" not in answer.degraded

    assert whole(Grants()) == (False, False)
    assert whole(Grants(), "src/") == (True, True)
    assert whole(Grants(path_rule=lambda _repo, path: not path.startswith("hidden/"))) == (True, True)


def test_r3_a_hosts_silence_is_met_once_and_not_for_every_object(clone: Clone, host: RepoBuilder) -> None:
    place = clone("tree:0")
    shutil.rmtree(host.path)
    now = [0.0]
    opened = open_repository(place)
    assert isinstance(opened, PartialClone)
    asking = PartialClone(place, f"file://{host.path}", 60.0, lambda: now[0])
    tries = []

    def fetch() -> None:
        tries.append(now[0])
        raise RepositoryUnreadableError("gone")

    for _ in range(100):
        assert not asking._asked(fetch)
    now[0] = 61.0
    assert not asking._asked(fetch)
    assert tries == [0.0, 61.0]


def test_r3_nothing_of_a_clones_configuration_but_the_hosts_url_is_used(clone: Clone, tmp_path: Path) -> None:
    place, ran = clone("blob:none"), tmp_path / "ran"
    for name in ("uploadpack", "receivepack", "vcs", "proxy"):
        subprocess.run(["git", "-C", str(place), "config", f"remote.origin.{name}", f"touch {ran};"], check=True)
    for name in ("core.sshCommand", "core.fsmonitor", "credential.helper", "core.gitProxy"):
        subprocess.run(["git", "-C", str(place), "config", name, f"!touch {ran}"], check=True)
    repository = open_repository(place)
    tree = repository.tree_of(repository.resolve(None)[1])
    assert repository.blobs([e.oid for e in repository.read_tree("", tree) if e.name == "large.txt"])
    assert not ran.exists()
    for url in (f"ext::touch {ran}", "--upload-pack=x", str(tmp_path / "host.git"), ""):
        subprocess.run(["git", "-C", str(place), "config", "remote.origin.url", url], check=True)
        assert not isinstance(open_repository(place), PartialClone)


def test_r3_the_streaming_system_reads_partial_clones_alike(clone: Clone, tmp_path: Path) -> None:
    place = clone("tree:0")
    source = MirrorGitSource({"r": str(place)}.get, tmp_path / "mirrors")
    git = source.open("r")
    tree = git.tree_of(git.commit_of("refs/heads/main") or "")
    large = next(e for e in git.read_tree("", tree) if e.name == "large.txt")
    assert source.read_blobs("r", [large.oid]) == {large.oid: FILES["large.txt"]}


def test_r3_a_sparse_working_copy_of_a_partial_clone_is_whole(
    product: Product, asked: Engine, host: RepoBuilder, tmp_path: Path
) -> None:
    place = tmp_path / "sparse"
    command = ["git", "clone", "-q", "--filter=blob:none", "--sparse", f"file://{host.path}", str(place)]
    subprocess.run(command, check=True, timeout=60)
    (place / "mine.py").write_text("needle = 2\n")
    copy = registered(product, place, "")
    with follower(product, copy) as opened:
        assert opened.take_in(opened.now()).files.parked == 0
    answer = asked.grep(GrepQuestion(pattern="needle", refs=(copy.view.ref,)))
    assert {r.path for r in answer.results} == {*FILES, "mine.py"}
    assert "unreadable_files" not in answer.degraded


@pytest.mark.parametrize(
    ("url", "trusted"),
    [
        ("file:///srv/a.git", True),
        ("https://host.example/a.git", True),
        ("https://user:word@host.example:8443/a.git", True),
        ("git@host.example:a/b.git", True),
        ("https://evil.example/a.git", False),
        ("https://host.example@evil.example/a.git", False),
        ("git@evil.example:host.example/b.git", False),
        ("http://169.254.169.254/latest", False),
        ("ext::sh", False),
        ("https://[", False),
    ],
)
def test_r3_only_hosts_that_the_user_names_are_asked(url: str, trusted: bool) -> None:
    assert is_trusted(url, ["", "host.example"]) is trusted
