"""Repositories by path or URL: a path is read in place, a URL through a bare mirror that the git program keeps.

A mirror may be without blobs: then it holds commits and trees, and a blob is fetched when it is read and kept nowhere.
"""

import hashlib
import os
import re
import time
from collections.abc import Callable, Collection
from pathlib import Path
from threading import Lock, local

from headwater.domain.repository_name import is_url
from headwater.domain.tree import TreeUnreadableError
from headwater.runtime.private_files import take_lock
from headwater.stores.blobless import WITHOUT_BLOBS, BloblessRepository, check_filters, without_blobs
from headwater.stores.git_program import run_git
from headwater.stores.git_store import GitRepository, RefNotFoundError, RepositoryUnreadableError
from headwater.stores.partial_clone import open_repository
from headwater.stores.repository_format import unsupported

_SPECS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_ROUNDING_S = 1.0  # of times of files
_STAMP = "headwater-fetched"  # its modification time is the start of the last good fetch


class MirrorGitSource:
    """GitSource. Fetches only from what `location` gives; processes may share the folder of mirrors."""

    def __init__(
        self,
        location: Callable[[str], str | None],
        folder: Path,
        max_age_s: float = 0.0,
        fetch_s: float = 120.0,
        clock: Callable[[], float] = time.time,
        blobs: bool = True,
    ) -> None:
        """An `open` fetches unless a fetch began within `max_age_s`; a fetch is given up after `fetch_s`."""
        self._location, self._folder, self._blobs = location, folder if blobs else folder / "blobless", blobs
        self._max_age, self._fetch_s, self._clock = max_age_s, fetch_s, clock
        self._handles = local()
        self._lock = Lock()

    def open(self, repo: str) -> GitRepository:
        """Raises RepositoryUnreadableError."""
        return self._open(repo, self._max_age)

    def head_ref(self, repo: str) -> str | None:
        """The branch that is checked out by default, as of the last fetch, however old; None where it can't be told."""
        try:
            return self._open(repo, float("inf")).resolve(None)[0]
        except (RepositoryUnreadableError, RefNotFoundError):
            return None

    def commit_named(self, repo: str, ref: str) -> str | None:
        """The commit of a full ref name as of the last fetch. What a mirror's origin has are the mirror's branches."""
        names = (ref, ref.replace("refs/remotes/origin/", "refs/heads/", 1))
        try:
            mirror = self._open(repo, float("inf"))
            return next((commit for name in names if (commit := mirror.commit_of(name)) is not None), None)
        except (RepositoryUnreadableError, TreeUnreadableError):
            return None

    def read_blobs(self, repo: str, oids: Collection[str]) -> dict[str, bytes]:
        """Blobs by id; where the mirror lacks one it is brought up to date first. Raises TreeUnreadableError."""
        try:
            mirror = self._open(repo, float("inf"))
            if isinstance(mirror, BloblessRepository):
                return dict(mirror.fetched(oids))
            found = mirror.blobs(oids)
            missing = [oid for oid in oids if oid not in found]
            return found | self._open(repo, 0.0).blobs(missing) if missing else found
        except RepositoryUnreadableError as error:
            raise TreeUnreadableError(str(error)) from error

    def _open(self, repo: str, max_age_s: float) -> GitRepository:
        location = self._location(repo)
        if location is None:
            message = f"repository '{repo}' is not registered: name it in HEADWATER_GIT_REPOSITORIES"
            raise RepositoryUnreadableError(message)
        if not is_url(location):
            return self._handle(location)
        mirror = self._folder / hashlib.sha256(location.encode()).hexdigest()[:32]
        self._refresh(mirror, location, max_age_s)
        return self._handle(str(mirror), "" if self._blobs else location)

    def _handle(self, path: str, url: str = "") -> GitRepository:
        """libgit2 handles aren't shared between threads."""
        handles: dict[str, GitRepository] = self._handles.__dict__
        if path not in handles:
            handles[path] = (
                BloblessRepository(path, url, self._fetch_s) if url else open_repository(path, self._fetch_s)
            )
        return handles[path]

    def _refresh(self, mirror: Path, url: str, max_age_s: float) -> None:
        asked = self._clock()
        if _is_fresh(mirror, asked - max_age_s, self._clock()):
            return
        with self._lock, take_lock(mirror.with_suffix(".lock")):
            if _is_fresh(mirror, asked - max_age_s, self._clock()):  # another one fetched while this one waited
                return
            began = self._clock()
            if not (mirror / "HEAD").exists():
                if not self._blobs:
                    check_filters(url, self._fetch_s)
                self._git("init", "-q", "--bare", "--template=", str(mirror))
                self._point_head(mirror, url)
            remote = ("--", url) if self._blobs else ("--", WITHOUT_BLOBS)
            options = () if self._blobs else without_blobs(url)
            self._git("-C", str(mirror), *options, "fetch", "-q", "--prune", "--no-write-fetch-head", *remote, *_SPECS)
            stamp = mirror / _STAMP
            stamp.touch()
            os.utime(stamp, (began, began))

    def _point_head(self, mirror: Path, url: str) -> None:
        found = self._git("ls-remote", "--symref", "--", url, "HEAD")
        head = re.match(r"ref: (refs/heads/\S+)\tHEAD", found)
        if head:
            self._git("-C", str(mirror), "symbolic-ref", "HEAD", head[1])

    def _git(self, *arguments: str) -> str:
        try:
            return run_git(arguments, self._fetch_s)
        except RepositoryUnreadableError as error:
            if (why := unsupported(str(error))) is None:
                raise
            raise RepositoryUnreadableError(f"the repository {why}") from error


def _is_fresh(mirror: Path, since: float, now: float) -> bool:
    """Whether a fetch that began at that time or later ended well; none began after `now`: the clock was put back."""
    try:
        return since <= (mirror / _STAMP).stat().st_mtime <= now + _ROUNDING_S
    except FileNotFoundError:
        return False
