"""Clones that left objects at their host (git clone --filter): what is read is fetched, and kept nowhere for long."""

import logging
import os
import re
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from urllib.parse import urlsplit

from headwater.domain.repository_name import is_url
from headwater.domain.tree import TreeEntry, TreeUnreadableError
from headwater.stores.blobless import WITHOUT_BLOBS, fetched_blobs, without_blobs
from headwater.stores.git_program import run_git
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError

FETCH_S = 120.0
TRUSTED_HOSTS = "HEADWATER_GIT_CLONE_HOSTS"
_AGAIN_S = 60.0  # after the host gave nothing: a view has many objects to ask for
_PROMISOR = re.compile(r"remote\.(?P<name>.+)\.promisor")
_PREFIX = "headwater-trees-"

log = logging.getLogger("headwater")


def open_repository(location: str | Path, seconds: float = FETCH_S) -> GitRepository:
    """A repository read in place, with what it left at its host if it is a partial clone.

    Raises RepositoryUnreadableError.
    """
    repository = GitRepository(location)
    host = _host(repository)
    return PartialClone(location, host, seconds) if host else repository


def _host(repository: GitRepository) -> str:
    """The URL that the objects were left at. Only that is taken of the configuration: the fetch runs without it.

    "" for a host that nobody but the repository names: no connection is opened because a repository asks for it.
    """
    for name in repository.settings(_PROMISOR):
        url = repository.setting(f"remote.{name}.url") or ""
        if not is_url(url):
            continue
        if is_trusted(url, os.environ.get(TRUSTED_HOSTS, "").split(",")):
            return url
        advice = f"name that host in {TRUSTED_HOSTS} to have them fetched"
        log.warning("%s left objects at %s: %s", repository.path, host_of(url), advice)
    return ""


def is_trusted(url: str, hosts: Collection[str]) -> bool:
    """Whether what a clone left at this URL may be fetched: from this machine's disk, or from one of `hosts`."""
    host = host_of(url)
    return url.startswith("file://") or (bool(host) and host in hosts)


def host_of(url: str) -> str:
    """The host's name of https://…, ssh://… or user@host:path; "" where there is none."""
    if "://" in url:
        try:
            return urlsplit(url).hostname or ""
        except ValueError:
            return ""
    return url.partition("@")[2].partition(":")[0]


class PartialClone(GitRepository):
    """Reads as any other repository does; what it lacks is asked of its host, many blobs at once."""

    def __init__(
        self, location: str | Path, url: str, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(location)
        self._url, self._seconds, self._clock = url, seconds, clock
        self._silent_until = float("-inf")
        self._commit = ""  # whose trees are wanted
        self._trees: tempfile.TemporaryDirectory[str] | None = None

    def tree_of(self, commit: str) -> str:
        """Raises TreeUnreadableError."""
        self._commit = commit
        return super().tree_of(commit)

    def read_tree(self, path: str, oid: str) -> tuple[TreeEntry, ...]:
        """`TreeReader`: where one is lacking, all of the commit's are fetched."""
        try:
            return super().read_tree(path, oid)
        except TreeUnreadableError:
            if not self._commit or self.has(oid) or not self._asked(self._fetch_trees):
                raise
        return super().read_tree(path, oid)

    def read_blob(self, oid: str) -> bytes:
        """Raises TreeUnreadableError."""
        found = self.blobs([oid])
        return found[oid] if oid in found else super().read_blob(oid)

    def blobs(self, oids: Collection[str]) -> dict[str, bytes]:
        found = super().blobs(oids)
        lacking = [oid for oid in oids if oid not in found and not self.has(oid)]
        fetched: dict[str, bytes] = {}

        def fetch() -> None:
            fetched.update(fetched_blobs(self._url, lacking, self._seconds))

        if lacking:
            self._asked(fetch)
        return found | fetched

    def _asked(self, fetch: Callable[[], object]) -> bool:
        """Whether the host gave it."""
        if self._clock() < self._silent_until:
            return False
        try:
            fetch()
        except (RepositoryUnreadableError, TreeUnreadableError) as error:
            self._silent_until = self._clock() + _AGAIN_S
            log.warning("%s left objects at its host, which doesn't give them: %s", self.path, error)
            return False
        return True

    def _fetch_trees(self) -> None:
        if self._trees is None:
            self._trees = tempfile.TemporaryDirectory(prefix=_PREFIX)
            run_git(["init", "-q", "--bare", "--template=", self._trees.name], self._seconds)
        fetch = ("fetch", "-q", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=blob:none")
        options = ("-C", self._trees.name, *without_blobs(self._url))
        run_git([*options, *fetch, "--", WITHOUT_BLOBS, self._commit], self._seconds)
        self.read_also(Path(self._trees.name, "objects"))
