"""A developer's working copy as git would commit it now, told by git itself and without a write into its repository."""

import os
import shutil
import threading
from collections.abc import Collection
from pathlib import Path

import msgspec

from headwater.stores.git_program import run_git
from headwater.stores.git_source import found_blobs
from headwater.stores.git_store import GitRepository, RefNotFoundError, RepositoryUnreadableError

GIT_SECONDS = 120.0
_CHECKSUM_BYTES = 20
TAKES_KEPT = 500  # states whose objects are kept before the scratch folder is made anew

# No hook, filter or daemon of the developer's may run and leave something behind, and no warning may stop the answer.
_QUIET = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.splitIndex=false"),
    *("-c", "index.skipHash=false", "-c", "gc.auto=0"),
    *("-c", "core.safecrlf=false", "-c", "core.looseCompression=1", "-c", "advice.addEmbeddedRepo=false"),
    *("-c", "filter.lfs.clean=cat", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false"),
)
_ANONYMOUS = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "working copy"), ("EMAIL", "working-copy@localhost"), ("DATE", "@0 +0000"))
}


class Taken(msgspec.Struct, frozen=True):
    """One state: a commit on top of HEAD that is in no repository, the same for the same files and HEAD."""

    commit: str
    tree: str


class WorkingCopy:
    """The files of one worktree: tracked ones as they are on disk, and untracked ones that no rule ignores.

    git's own `add` decides, on a copy of the index and with a scratch folder for new objects. Not thread-safe.
    """

    def __init__(self, path: Path, scratch: Path) -> None:
        """`path` is the worktree or a folder in it. Raises RepositoryUnreadableError."""
        repository = GitRepository(path)
        if repository.is_bare:
            raise RepositoryUnreadableError(f"{path} has no working copy: name a folder with files")
        self.root = repository.path
        self.objects = scratch / "objects"
        self._index, self._own_index = scratch / "index", repository.git_folder / "index"
        self._lock = scratch / "index.lock"  # is there while git writes the index, and after a git that was ended
        self._repository, self._shared = repository, repository.shared_folder
        self._seen: tuple[bytes, str] | None = None
        self._taken = Taken("", "")
        self._takes = 0

    def take(self) -> Taken:
        """The state now; the same object while nothing has changed. Raises RepositoryUnreadableError.

        A file that can't be read counts as it is in the index.
        """
        if not self.root.is_dir():
            raise RepositoryUnreadableError(f"{self.root} is gone")
        self._start_from_index()
        # another program may be writing files: what fails now is looked at again with the next look
        self._git("add", "--all", "--ignore-errors", "--", ".", or_nothing=True)
        if self._lock.exists():
            raise RepositoryUnreadableError(f"{self.root} took over {GIT_SECONDS:g} s: name large files in .gitignore")
        now = (_checksum(self._index), self._head())
        if now != self._seen or not any(now[0]):
            tree = self._git("write-tree", "--missing-ok")
            parents = ("-p", now[1]) if now[1] else ()
            commit = self._git("commit-tree", tree, *parents, "-m", "working copy", reads=self._shared / "objects")
            self._taken = Taken(commit, tree)
            self._seen, self._takes = now, self._takes + 1
        return self._taken

    def _start_from_index(self) -> None:
        """Each look anew: a file that was untracked at the last one may be ignored now."""
        if self._takes >= TAKES_KEPT or self._lock.exists():  # a git that was ended leaves half of an object behind
            shutil.rmtree(self.objects, ignore_errors=True)
            self._lock.unlink(missing_ok=True)
            self._takes, self._seen = 0, None
        self.objects.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copy2(self._own_index, self._index)  # with its time, by which git knows which entries to trust
        except FileNotFoundError:
            self._index.unlink(missing_ok=True)

    def _head(self) -> str:
        try:
            return self._repository.resolve(None)[1]
        except RefNotFoundError:
            return ""

    def _git(self, *arguments: str, or_nothing: bool = False, reads: Path | None = None) -> str:
        """Without `reads` git doesn't see the repository's objects: it would touch those that it needn't write."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environ = {
            **own,
            **_ANONYMOUS,
            "GIT_INDEX_FILE": str(self._index),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(reads or ""),
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
        }
        try:
            return run_git(["-C", str(self.root), *_QUIET, *arguments], GIT_SECONDS, environ).strip()
        except RepositoryUnreadableError:
            if or_nothing:
                return ""
            raise


class WorkingCopySource:
    """A GitSource in which one ref is a state that was taken of a working copy."""

    def __init__(self, copy: WorkingCopy, ref: str, commit: str) -> None:
        self._root, self._objects, self._ref, self.commit = copy.root, copy.objects, ref, commit
        self._open = threading.local()

    def open(self, _repo: str) -> GitRepository:
        if not hasattr(self._open, "handle"):
            self._open.handle = _WithState(self._root, self._objects, self._ref, self.commit)
        handle: GitRepository = self._open.handle
        return handle

    def read_blobs(self, repo: str, oids: Collection[str]) -> dict[str, bytes]:
        """Content by id of those that it has."""
        return found_blobs(self.open(repo), oids)


class _WithState(GitRepository):
    """A repository that has one ref more."""

    def __init__(self, root: Path, objects: Path, ref: str, commit: str) -> None:
        super().__init__(root, objects)
        self._ref, self._commit = ref, commit

    def commit_of(self, full_ref: str) -> str | None:
        return self._commit if full_ref == self._ref else super().commit_of(full_ref)


def _checksum(index: Path) -> bytes:
    """Of its entries with their times, as git puts it at the end; zeros where it didn't."""
    try:
        with index.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _CHECKSUM_BYTES))
            return file.read()
    except FileNotFoundError:
        return b"no index"
