"""Formats of repositories: read, or refused in one line that says what to do; nothing replaces what an id means."""

import subprocess
from pathlib import Path

import pytest

from headwater.domain.question import GrepQuestion
from headwater.embedded.answering import engine
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.verification import verify
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError
from headwater.stores.mirror_source import MirrorGitSource

_WHO = ("-c", "user.name=A Dev", "-c", "user.email=dev@example.com")


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = ["git", "-C", str(folder), *_WHO, *arguments]
    return subprocess.run(command, check=True, timeout=60, input=given, stdout=subprocess.PIPE).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return _made(tmp_path / "made")


def _made(place: Path, *options: str) -> Path:
    place.mkdir()
    _git(place, "init", "-q", "-b", "main", *options)
    for name in ("one", "two"):
        (place / f"{name}.py").write_text(f"def {name}(): pass\n")
        _git(place, "add", "-A")
        _git(place, "commit", "-qm", name)
    return place


def _setting(repository: Path, name: str, value: str) -> None:
    _git(repository, "config", "core.repositoryFormatVersion", "1")
    _git(repository, "config", name, value)


def _indexed(home: Path, place: Path) -> set[str]:
    with Product(Home(home)) as product:
        report = index(product, [Target(place)])
        assert report.problems == ()
        assert all(verdict.holds for verdict in verify(product, against_fresh=False))
        opened = engine(product)
        found = {r.path for r in opened.grep(GrepQuestion(pattern="def ")).results}
        opened.close()
    return found


def test_r4_a_repository_with_sha_256_ids_says_how_to_make_a_copy_that_can_be_read(tmp_path: Path) -> None:
    made = _made(tmp_path / "made", "--object-format=sha256")
    with pytest.raises(RepositoryUnreadableError, match=r"SHA-256 ids.*git fast-export --all") as caught:
        GitRepository(made)
    assert "\n" not in str(caught.value)
    copy = tmp_path / "copy"
    copy.mkdir()
    _git(copy, "init", "-q", "--bare", "-b", "main")
    _git(copy, "fast-import", "--quiet", given=_git(made, "fast-export", "--all"))
    assert _indexed(tmp_path / "home", copy) == {"one.py", "two.py"}


def test_r4_a_host_whose_repository_has_sha_256_ids_is_refused_alike(tmp_path: Path) -> None:
    made = _made(tmp_path / "made", "--object-format=sha256")
    source = MirrorGitSource({"r": f"file://{made}"}.get, tmp_path / "mirrors")
    with pytest.raises(RepositoryUnreadableError, match="SHA-256 ids"):
        source.open("r")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("extensions.refStorage", "reftable", "git refs migrate --ref-format=files"),
        ("extensions.whatever", "yes", r"extensions\.whatever.*git clone --bare"),
        ("extensions.objectFormat", "sha3", "'sha3'.*git clone --bare"),
        ("core.repositoryFormatVersion", "7", "repository version 7.*git clone --bare"),
    ],
)
def test_r4_a_format_that_is_unknown_is_one_line_that_says_what_to_do(
    repository: Path, name: str, value: str, said: str
) -> None:
    _setting(repository, name, value)
    with pytest.raises(RepositoryUnreadableError, match=said) as caught:
        GitRepository(repository)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["compatObjectFormat", "noop", "worktreeConfig", "preciousObjects", "relativeWorktrees"]
)
def test_r4_formats_that_change_no_object_are_read(repository: Path, tmp_path: Path, name: str) -> None:
    _setting(repository, f"extensions.{name}", "sha256" if name == "compatObjectFormat" else "true")
    assert _indexed(tmp_path / "home", repository) == {"one.py", "two.py"}


def test_r4_shallow_clones_borrowed_objects_and_worktrees_are_read(repository: Path, tmp_path: Path) -> None:
    _git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    _git(tmp_path, "clone", "-q", "--shared", str(repository), "shared")
    _git(repository, "worktree", "add", "-q", str(tmp_path / "worktree"))
    for name in ("shallow", "shared", "worktree"):
        assert _indexed(tmp_path / f"home-{name}", tmp_path / name) == {"one.py", "two.py"}


def test_r4_neither_grafts_nor_replacements_change_what_an_id_means(repository: Path, tmp_path: Path) -> None:
    head = _git(repository, "rev-parse", "HEAD").decode().strip()
    _git(repository, "replace", "HEAD", "HEAD~1")
    (repository / ".git/info").mkdir(exist_ok=True)
    (repository / ".git/info/grafts").write_text(f"{head}\n")
    blob = _git(repository, "rev-parse", f"{head}:one.py").decode().strip()
    other = _git(repository, "hash-object", "-w", "--stdin", given=b"def replaced(): pass\n").decode().strip()
    _git(repository, "replace", blob, other)
    assert _indexed(tmp_path / "home", repository) == {"one.py", "two.py"}
    (repository / ".git/info/grafts").unlink()  # with them the host itself sends too little
    source = MirrorGitSource({"r": f"file://{repository}"}.get, tmp_path / "mirrors")
    assert source.read_blobs("r", [blob]) == {blob: b"def one(): pass\n"}


def test_r4_a_repository_that_can_not_be_read_holds_up_no_other(repository: Path, tmp_path: Path) -> None:
    other = _made(tmp_path / "other", "--object-format=sha256")
    with Product(Home(tmp_path / "home")) as product:
        targets = [Target(other), Target(repository, ("nowhere",)), Target(repository)]
        report = index(product, targets)
    assert [view.repo for view in report.views] == ["made"]
    assert ["SHA-256" in problem or "nowhere" in problem for problem in report.problems] == [True, True]
