"""A developer's working copy as git would commit it now, told by git itself and without a write into its repository."""

import logging
import os
import shutil
import threading
from collections.abc import Collection
from pathlib import Path

import msgspec

from headwater.runtime.private_files import FILE, open_private, private_folder, replace_file
from headwater.stores.git_program import run_git
from headwater.stores.git_store import GitRepository, RefNotFoundError, RepositoryUnreadableError
from headwater.stores.partial_clone import open_repository

LOG = logging.getLogger(__name__)
GIT_SECONDS = 120.0
_CHECKSUM_BYTES = 20
_GITLINK = "160000 "
_WITH_FILTER = ":(exclude,attr:!filter)"  # all but those of which no filter is said
TAKES_KEPT = 500  # states whose objects are kept before the scratch folder is made anew

# No warning may stop the answer, and what the repository says of how its files are stored holds.
_QUIET = (
    *("-c", "core.splitIndex=false", "-c", "index.skipHash=false", "-c", "core.safecrlf=false"),
    *("-c", "core.looseCompression=1", "-c", "advice.addEmbeddedRepo=false"),
)
_SETTINGS = (
    *("core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode"),
    *("core.trustctime", "core.checkstat"),
)
_FILE_SETTINGS = ("core.excludesfile", "core.attributesfile")
_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
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

    git's own `add` decides, in a git folder of our own with a copy of the index, so that no program that the repository
    configures is run. Attributes that ask for line ends or `$Id$` are followed; one that names a filter isn't, and is
    warned of. Not thread-safe.
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
        self._unfiltered = 0
        self._listed, self._submodules = b"", list[str]()
        self._taken = Taken("", "")
        self._takes = 0

    def take(self) -> Taken:
        """The state now; the same object while nothing has changed. Raises RepositoryUnreadableError.

        A file that can't be read counts as it is in the index.
        """
        if not self.root.is_dir():
            raise RepositoryUnreadableError(f"{self.root} is gone")
        self._start_from_index()
        self._settle_submodules()
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
            self._say_unfiltered()
        return self._taken

    def _start_from_index(self) -> None:
        """Each look anew: a file that was untracked at the last one may be ignored now."""
        if self._takes >= TAKES_KEPT or self._lock.exists():  # a git that was ended leaves half of an object behind
            shutil.rmtree(self.objects, ignore_errors=True)
            self._lock.unlink(missing_ok=True)
            self._takes, self._seen = 0, None
        self._lay_out()
        self._index.unlink(missing_ok=True)
        if self._own_index.is_file():
            os.close(open_private(self._index, os.O_WRONLY))
            shutil.copyfile(self._own_index, self._index)
            shutil.copystat(self._own_index, self._index)  # its time: by it git knows which entries to trust
            self._index.chmod(FILE)

    def _settle_submodules(self) -> None:
        """Enters the commit that each has checked out, and has git look no further: it would run git in them."""
        staged = _checksum(self._index)
        if staged != self._listed or not any(staged):
            entries = self._git("ls-files", "--stage", "-z").split("\0")
            self._submodules = [e.partition("\t")[2] for e in entries if e.startswith(_GITLINK)]
            self._listed = staged
        there = [path for path in self._submodules if (self.root / path).is_dir()]
        if not there:
            return
        heads = {path: head for path in there if (head := _checked_out(self.root / path))}
        entered = "".join(f"{_GITLINK}{head}\t{path}\0" for path, head in heads.items())
        self._git("update-index", "-z", "--index-info", given=entered)
        self._git("update-index", "-z", "--skip-worktree", "--stdin", given="".join(f"{p}\0" for p in there))

    def _say_unfiltered(self) -> None:
        listed = self._git("ls-files", "-z", "--", ".", _WITH_FILTER, or_nothing=True).split("\0")
        found = [path.encode("utf-8", "backslashreplace").decode() for path in listed if path]
        if found and len(found) != self._unfiltered:
            LOG.warning(
                "%d files of %s name a filter in .gitattributes, as %s does: it is a program, which is not run, so they"
                " are indexed as they are on disk",
                len(found),
                self.root,
                found[0],
            )
        self._unfiltered = len(found)

    def _head(self) -> str:
        try:
            return self._repository.resolve(None)[1]
        except RefNotFoundError:
            return ""

    def _git(self, *arguments: str, or_nothing: bool = False, reads: Path | None = None, given: str = "") -> str:
        """Without `reads` git doesn't see the repository's objects: it would touch those that it needn't write."""
        environ = {
            **_ANONYMOUS,
            "GIT_DIR": str(self.objects.parent),
            "GIT_WORK_TREE": str(self.root),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(reads or ""),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
        }
        try:
            return run_git(
                ["-C", str(self.root), *_QUIET, *self._settings(), *arguments], GIT_SECONDS, environ, given
            ).strip()
        except RepositoryUnreadableError:
            if or_nothing:
                return ""
            raise

    def _settings(self) -> list[str]:
        found = {name: value for name in _SETTINGS if (value := self._repository.setting(name)) is not None}
        for name in _FILE_SETTINGS:
            value = self._repository.setting(name)
            if value is not None and Path(value).expanduser().is_file():
                found[name] = value
        return [part for name, value in found.items() for part in ("-c", f"{name}={value}")]

    def _lay_out(self) -> None:
        """A git folder that has of the repository's only what is data."""
        scratch = private_folder(self.objects).parent
        private_folder(scratch / "refs")
        replace_file(scratch / "config", _CONFIG, durable=False)
        replace_file(scratch / "HEAD", b"ref: refs/heads/none\n", durable=False)
        for given in (self._shared / "info" / "exclude", self._shared / "info" / "attributes"):
            replace_file(scratch / "info" / given.name, given.read_bytes() if given.is_file() else b"", durable=False)


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
        """Content by id of those that it has, or has left at its host."""
        found = self.open(repo).blobs(oids)
        lacking = [oid for oid in oids if oid not in found]
        if lacking and not hasattr(self._open, "host"):
            self._open.host = open_repository(self._root)
        return found | self._open.host.blobs(lacking) if lacking else found


class _WithState(GitRepository):
    """A repository that has one ref more."""

    def __init__(self, root: Path, objects: Path, ref: str, commit: str) -> None:
        super().__init__(root, objects)
        self._ref, self._commit = ref, commit

    def commit_of(self, full_ref: str) -> str | None:
        return self._commit if full_ref == self._ref else super().commit_of(full_ref)


def _checked_out(submodule: Path) -> str:
    """Its commit; "" where there is none, or none of its own."""
    try:
        repository = GitRepository(submodule)
        return repository.resolve(None)[1] if repository.path == submodule.resolve() else ""
    except (RepositoryUnreadableError, RefNotFoundError):
        return ""


def _checksum(index: Path) -> bytes:
    """Of its entries with their times, as git puts it at the end; zeros where it didn't."""
    try:
        with index.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _CHECKSUM_BYTES))
            return file.read()
    except FileNotFoundError:
        return b"no index"
