"""A repository whose own configuration, attributes and links were made to run or to read something: none does."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headwater.domain.repository_name import is_url
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.working_copies import follower, registered
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError
from headwater.stores.mirror_source import MirrorGitSource
from headwater.stores.working_copy import WorkingCopy

SETTINGS = {
    **{f"filter.{name}.{what}": "{run} {name}" for name in ("evil", "lfs") for what in ("clean", "smudge", "process")},
    "filter.evil.required": "true",
    "diff.evil.textconv": "{run} textconv",
    "diff.evil.command": "{run} command",
    "core.fsmonitor": "{run} fsmonitor",
    "core.hooksPath": "{hooks}",
    "core.sshCommand": "{run} ssh",
    "credential.helper": "!{run} helper",
    "diff.external": "{run} external",
    "gpg.program": "{run} gpg",
    "commit.gpgSign": "true",
    "core.alternateRefsCommand": "{run} refs",
    "core.pager": "{run} pager",
    "core.editor": "{run} editor",
    "core.askPass": "{run} askpass",
    "uploadpack.packObjectsHook": "{run} pack",
    "remote.origin.uploadpack": "{run} uploadpack",
    "remote.origin.promisor": "true",
    "alias.add": "!{run} alias",
    "remote.origin.partialclonefilter": "blob:none",
    "protocol.ext.allow": "always",
    "core.gitProxy": "{run} proxy",
    "remote.origin.url": "ext::{run} ext",
    "extensions.partialClone": "origin",
    "core.untrackedCache": "true",
    "merge.evil.driver": "{run} merge",
    "trailer.x.command": "{run} trailer",
    "submodule.recurse": "true",
}
HOOKS = ("post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman", "update")


class Hostile:
    """A clone whatever of which is run leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self.marks, self.root = folder / "marks", folder / "clone"
        self.marks.mkdir()
        self.script = self.executable(folder / "run", f": > '{self.marks}'/\"$1\"; cat")
        self.repository(self.root)

    def executable(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def repository(self, root: Path) -> None:
        subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
        (root / ".gitattributes").write_text("*.py filter=evil diff=evil merge=evil\n*.bin filter=lfs diff=lfs\n")
        (root / "a.py").write_text("def only_here():\n    return 1\n")
        (root / "a.bin").write_bytes(b"x\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
        for name, value in SETTINGS.items():
            git(root, "config", name, value.format(run=self.script, hooks=root / "hooks", name="filter"))
        included = root / ".git" / "more"
        included.write_text(f'[filter "evil"]\n\tclean = {self.script} included\n')
        git(root, "config", "include.path", str(included))
        for hook in HOOKS:
            for place in (root / "hooks", root / ".git" / "hooks"):
                self.executable(place / hook, f": > '{self.marks}/hook {hook}'")

    def marked(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *identity, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path)


def test_s3_nothing_that_a_repository_configures_is_run(
    hostile: Hostile, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Product(Home(tmp_path / "home")) as product:
        index(product, [Target(hostile.root)])
        with follower(product, registered(product, hostile.root, "")) as one:
            one.look()
            (hostile.root / "a.py").write_text("def changed():\n    return 2\n")
            (hostile.root / "b.py").write_text("def added():\n    return 3\n")
            one.look()
        assert hostile.marked() == []
        assert "name a filter in .gitattributes, as a.bin does" in caplog.text
        assert product.catalog.names_containing("changed", 5) == ["changed"]


def test_s3_a_submodule_and_a_nested_repository_configure_nothing_either(hostile: Hostile, tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\xff")
    for name in ("sub", "nested", odd):
        hostile.repository(hostile.root / name)
    heads = {name: git(hostile.root / name, "rev-parse", "HEAD") for name in ("sub", odd)}
    (hostile.root / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tupdate = !touch x\n')
    (hostile.root / ".git" / "config").rename(tmp_path / "config")
    for name, head in heads.items():
        git(hostile.root, "update-index", "--add", "--cacheinfo", f"160000,{head},{name}")
    (tmp_path / "config").rename(hostile.root / ".git" / "config")
    for mark in hostile.marks.iterdir():
        mark.unlink()
    files = WorkingCopy(hostile.root, tmp_path / "scratch")
    for text in ("x = 1\n", "x = 2\n"):
        for name in ("sub", "nested", odd):
            (hostile.root / name / "a.py").write_text(text)
        assert files.take().tree
    assert hostile.marked() == []


def test_s3_a_mirror_of_a_hostile_repository_runs_nothing(hostile: Hostile, tmp_path: Path) -> None:
    source = MirrorGitSource({"r": f"file://{hostile.root}"}.get, tmp_path / "mirrors")
    assert source.open("r").commit_of("refs/heads/main") is not None
    assert hostile.marked() == []


@pytest.mark.parametrize("location", ["--upload-pack=touch x", "-oProxyCommand=x@h:p", "ext::sh -c true", "u@-oX=1:p"])
def test_s3_a_location_that_would_be_an_option_or_a_program_is_no_url(location: str) -> None:
    assert not is_url(location)


def test_s3_the_tree_is_gits_where_attributes_ask_for_line_ends_and_ids(tmp_path: Path) -> None:
    root = tmp_path / "r"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitattributes").write_text("*.txt text eol=crlf\n*.id ident\n*.raw -text\n")
    for name, content in {"a.txt": b"a\r\nb\r\n", "b.id": b"$Id: abc $\n", "c.raw": b"a\r\n", "d": b"a\r\n"}.items():
        (root / name).write_bytes(content)
    for name, value in {"core.autocrlf": "input", "core.safecrlf": "false"}.items():
        git(root, "config", name, value)
    taken = WorkingCopy(root, tmp_path / "scratch").take()
    git(root, "add", "-A")
    assert taken.tree == git(root, "write-tree")


def test_s3_no_link_leads_out_of_a_working_copy(hostile: Hostile, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    subprocess.run(["git", "init", "-q", str(secret)], check=True)
    (secret / "private.py").write_text("def private(): pass\n")
    git(secret, "add", "-A")
    git(secret, "commit", "-qm", "private")
    (hostile.root / "linked").symlink_to(secret)
    os.mkfifo(hostile.root / "pipe")
    taken = WorkingCopy(hostile.root, tmp_path / "scratch").take()
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", taken.tree],
        env={**os.environ, "GIT_DIR": str(tmp_path / "scratch"), "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "linked" in listed
    assert not [path for path in listed if "private" in path or path == "pipe"]
    for kind in ("file", "link"):
        place = tmp_path / kind
        place.mkdir()
        if kind == "file":
            (place / ".git").write_text(f"gitdir: {secret / '.git'}\n")
        else:
            (place / ".git").symlink_to(secret / ".git")
        with pytest.raises(RepositoryUnreadableError, match="by its own path"):
            GitRepository(place)
    git(hostile.root, "config", "core.worktree", str(secret))
    with pytest.raises(RepositoryUnreadableError, match="by its own path"):
        GitRepository(hostile.root)
    with pytest.raises(RepositoryUnreadableError, match="no working copy"):
        WorkingCopy(hostile.root / ".git", tmp_path / "other")


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "index"])
def test_s3_a_pipe_among_gits_files_is_refused_and_not_waited_for(hostile: Hostile, name: str) -> None:
    place = hostile.root / ".git" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with pytest.raises(RepositoryUnreadableError):
        GitRepository(hostile.root)


def test_a_submodule_and_a_linked_worktree_are_repositories(tmp_path: Path) -> None:
    for name in ("outer", "inner"):
        subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path / name)], check=True)
        git(tmp_path / name, "commit", "-q", "--allow-empty", "-m", "first")
    git(
        tmp_path / "outer", "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "inner"), "sub"
    )
    git(tmp_path / "outer", "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "topic")
    (tmp_path / "alias").symlink_to(tmp_path / "outer")
    for place in ("outer/sub", "linked"):
        assert GitRepository(tmp_path / place).path == tmp_path / place
        shutil.rmtree(tmp_path / "scratch", ignore_errors=True)
        assert WorkingCopy(tmp_path / place, tmp_path / "scratch").take().tree
    assert GitRepository(tmp_path / "alias").path == tmp_path / "outer"
