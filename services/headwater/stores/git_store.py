"""Git repositories read by object id through pygit2: never a working tree, never the network."""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from headwater.domain.ref_name import HEAD, full_names
from headwater.domain.tree import EMPTY_TREE, TreeEntry, TreeUnreadableError
from headwater.domain.tree_object import read_tree_object
from headwater.limits import count_reached, limits
from headwater.stores.object_database import object_database
from headwater.stores.repository_format import accept_harmless_formats, unsupported

_FILES = ("HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", "info/exclude")

_WHOLE_ID = re.compile("[0-9a-f]{40}")  # never a ref, whatever refs are called


accept_harmless_formats()


class RepositoryUnreadableError(Exception):
    """The path is not a git repository that can be read; the message says what to do."""


class RefNotFoundError(Exception):
    """No such ref, tag or commit; the message names near ones."""


class GitRepository:
    """One repository on disk (bare, worktree or clone)."""

    def __init__(self, location: str | Path, objects: Path | None = None) -> None:
        """`objects`: a folder of further objects, read as if they were the repository's own."""
        path = Path(location).expanduser()
        if not path.exists():
            raise RepositoryUnreadableError(f"{path} does not exist")
        found = _discovered(path)
        if found is None:
            raise RepositoryUnreadableError(
                f"{path} is not a git repository: run 'git init' and commit there, or clone it"
            )
        try:
            self._repo = pygit2.Repository(found)
        except pygit2.GitError as error:
            why = unsupported(str(error)) or f"can't be read as a git repository: {error}"
            raise RepositoryUnreadableError(f"{path} {why}") from error
        self.read_also(*((objects,) if objects is not None else ()))
        self.path = _place(self._repo)
        if not any(path.resolve().is_relative_to(own) for own in (self.path, self.git_folder, self.shared_folder)):
            raise RepositoryUnreadableError(
                f"{path} isn't in the repository that its .git leads to: index {self.path} by its own path"
            )

    @property
    def git_folder(self) -> Path:
        """Where its index and HEAD are: of a linked worktree, its own."""
        return Path(self._repo.path).resolve()

    @property
    def shared_folder(self) -> Path:
        """Where its objects and refs are: the same for all worktrees of a repository."""
        try:
            named = (self.git_folder / "commondir").read_text().strip()
        except FileNotFoundError:
            return self.git_folder
        return (self.git_folder / named).resolve()

    @property
    def is_bare(self) -> bool:
        """Whether there is no folder of files that names this repository as its own."""
        return self.path == self.git_folder

    def setting(self, name: str) -> str | None:
        """A value of the repository's, the user's or the machine's configuration; to be read, never to be run."""
        try:
            return str(self._repo.config[name])
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def settings(self, name: re.Pattern[str]) -> list[str]:
        """What the group `name` matches in the names of settings that are true."""
        try:
            found = [(m["name"], e.value) for e in self._repo.config if (m := name.fullmatch(e.name)) is not None]
        except (KeyError, ValueError, pygit2.GitError):
            return []
        return [matched for matched, value in found if value in ("true", "1", "yes", "on", "")]

    def read_also(self, *objects: Path) -> None:
        """Objects of these folders as if they were the repository's own, instead of those named so before."""
        self._repo.set_odb(object_database(self.shared_folder / "objects", *objects))

    def has(self, oid: str) -> bool:
        """Whether there is such an object, readable or not."""
        try:
            return oid in self._repo.odb
        except (ValueError, pygit2.GitError):
            return True

    @property
    def is_empty(self) -> bool:
        """No commit yet on any ref. Raises RepositoryUnreadableError."""
        return not self._names()

    def resolve(self, ref: str | None) -> tuple[str, str]:
        """(full ref name or commit id, commit id) of HEAD, a branch, a tag or a commit.

        Raises RefNotFoundError, TreeUnreadableError.
        """
        if ref is None or ref in HEAD:
            return self._head()
        if _WHOLE_ID.fullmatch(ref) and self._has_commit(ref):
            return ref, ref
        names = filter(pygit2.reference_is_valid_name, full_names(ref))
        found = {name: commit_id for name in names if (commit_id := self.commit_of(name)) is not None}
        if len(found) > 1:
            raise RefNotFoundError(f"'{ref}' is more than one ref of {self.path}: give {' or '.join(found)}")
        if found:
            return found.popitem()
        try:
            commit = self._repo.revparse_single(ref).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError):
            raise RefNotFoundError(f"no ref or commit '{ref}' in {self.path}{self._hint(ref)}") from None
        return str(commit.id), str(commit.id)

    def commit_of(self, full_ref: str) -> str | None:
        """The commit of a full ref name, or of a commit id itself; None when there is none."""
        if not full_ref.startswith("refs/"):
            return full_ref if self._has_commit(full_ref) else None
        try:
            ref = self._repo.references[full_ref]
        except KeyError:
            return None
        except (ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"ref {full_ref} can't be read: {error}") from error
        try:
            return str(ref.peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"ref {full_ref} names no commit that can be read: {error}") from error

    def _has_commit(self, oid: str) -> bool:
        try:
            return isinstance(self._repo[oid], pygit2.Commit)
        except (KeyError, ValueError):
            return False
        except pygit2.GitError as error:
            raise TreeUnreadableError(f"commit {oid} can't be read: {error}") from error

    def refs(self) -> dict[str, str]:
        """Every branch and tag that peels to a commit, by full name, with its commit id.

        Raises RepositoryUnreadableError.
        """
        names = [r for r in self._names() if r.startswith(("refs/heads/", "refs/tags/"))]
        found = {}
        for name in names:
            try:
                found[name] = str(self._repo.references[name].peel(pygit2.Commit).id)
            except (KeyError, ValueError, pygit2.GitError):
                continue  # a tag of a blob or tree is no view
        return found

    def _names(self) -> list[str]:
        try:
            return list(self._repo.references)
        except (ValueError, pygit2.GitError) as error:
            raise RepositoryUnreadableError(f"the refs of {self.path} can't be read: {error}") from error

    def unreadable(self, refs: Iterable[str]) -> dict[str, str]:
        """Why, for those of these refs that are there and name no commit that can be read: they aren't gone."""
        found = {}
        for ref in refs:
            try:
                self.commit_of(ref)
            except TreeUnreadableError as error:
                found[ref] = str(error)
        return found

    def default_ref(self) -> str | None:
        """The full name of the branch that HEAD names, whether it exists or not; None when it names a commit."""
        try:
            target = self._repo.references["HEAD"].target
        except (KeyError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"HEAD of {self.path} can't be read: {error}") from error
        return target if isinstance(target, str) else None

    def tree_of(self, commit: str) -> str:
        """The tree id of a commit. Raises TreeUnreadableError."""
        try:
            return str(self._repo[commit].peel(pygit2.Commit).tree_id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"commit {commit} can't be read: {error}") from error

    def commit_time(self, commit: str) -> float:
        """Committer time, epoch seconds."""
        return float(self._repo[commit].peel(pygit2.Commit).commit_time)

    def behind(self, commit: str, head: str) -> int | None:
        """How many commits of `head` are not in `commit`; None when either can't be read (history rewritten)."""
        try:
            return int(self._repo.ahead_behind(pygit2.Oid(hex=head), pygit2.Oid(hex=commit))[0])
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        """`TreeReader`: `path` is only for messages."""
        if oid == EMPTY_TREE:
            return ()
        try:
            return read_tree_object(self._content(oid, ObjectType.TREE))
        except TreeUnreadableError as error:
            raise TreeUnreadableError(f"tree {oid} ('{path}') can't be read: {error}") from error

    def read_blob(self, oid: str) -> bytes:
        """Content of a blob. Raises TreeUnreadableError: a missing blob is never an empty file."""
        try:
            return self._content(oid, ObjectType.BLOB)
        except TreeUnreadableError as error:
            raise TreeUnreadableError(f"blob {oid} can't be read: {error}") from error

    def blobs(self, oids: Collection[str]) -> dict[str, bytes]:
        """Content by id of those blobs that can be read."""
        found: dict[str, bytes] = {}
        for oid in oids:
            with suppress(TreeUnreadableError):
                found[oid] = GitRepository.read_blob(self, oid)
        return found

    def blob_size(self, oid: str) -> int:
        """Bytes of a blob by its header, which may lie: its content isn't read. Raises TreeUnreadableError."""
        try:
            return int(self._repo.odb.read_header(pygit2.Oid(hex=oid))[1])
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"blob {oid} can't be read: {error}") from error

    def _content(self, oid: str, kind: ObjectType) -> bytes:
        """Of an object whose bytes have this id. Raises TreeUnreadableError."""
        try:
            wanted = pygit2.Oid(hex=oid)
            size = int(self._repo.odb.read_header(wanted)[1])
            found, content = self._repo.read(wanted) if size <= limits().object_bytes else (kind, None)
        except KeyError:
            raise TreeUnreadableError("the repository doesn't have it (any more)") from None
        except (ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(str(error)) from error
        if content is None:
            count_reached("object_bytes")
            raise TreeUnreadableError(f"it has {size} bytes, over the limit of {limits().object_bytes}")
        if found != kind:
            raise TreeUnreadableError(f"it is a {ObjectType(found).name.lower()}")
        return bytes(content)

    def origin(self) -> str | None:
        """The URL of the remote `origin`, if any."""
        try:
            return str(self._repo.remotes["origin"].url)
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def _head(self) -> tuple[str, str]:
        try:
            head = self._repo.head
        except pygit2.GitError:
            raise RefNotFoundError(f"{self.path} has no commit on its current branch yet") from None
        try:
            commit = str(head.peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise TreeUnreadableError(f"HEAD names no commit that can be read: {error}") from error
        return (commit if self._repo.head_is_detached else head.name), commit

    def _hint(self, ref: str) -> str:
        near = sorted(self._short_names(ref))[:5]
        return f"; did you mean {', '.join(near)}?" if near else ": see 'git branch -a' and 'git tag'"

    def _short_names(self, ref: str) -> Iterator[str]:
        for name in self.refs():
            short = name.split("/", 2)[2]
            if ref.lower() in short.lower() or short.lower() in ref.lower():
                yield short


def _discovered(path: Path) -> str | None:
    """The git folder of or around `path`. A pipe or device in place of its files would be waited for: it is refused."""
    found: str | None = pygit2.discover_repository(str(path)) if _safe_gitfile(path) else None
    special = next((s for name in _FILES if (s := Path(found or "", name)).exists() and not s.is_file()), None)
    if found is not None and special is not None:
        raise RepositoryUnreadableError(f"{special} is no plain file: clone the repository again")
    return found


def _safe_gitfile(path: Path) -> bool:
    places = (folder / ".git" for folder in (path, *path.parents))
    nearest = next((place for place in places if place.exists()), None)
    return nearest is None or nearest.is_file() or nearest.is_dir()


def _place(repo: pygit2.Repository) -> Path:
    """The folder that opens this repository again: its worktree, or the git folder where there is none.

    A worktree that only the repository's own configuration names is none: it could be any folder of this machine.
    """
    git_folder = Path(repo.path).resolve()
    worktree = Path(repo.workdir).resolve() if repo.workdir else git_folder
    opened = pygit2.discover_repository(str(worktree)) if (worktree / ".git").exists() else None
    return worktree if opened is not None and Path(opened).resolve() == git_folder else git_folder
