"""Mirrors without blobs: git's partial clones, and blobs fetched for a batch into a folder that goes with it."""

import os
import re
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Collection, Mapping
from pathlib import Path

from headwater.domain.tree import TreeUnreadableError
from headwater.stores.git_program import ran_git, run_git
from headwater.stores.git_store import GitRepository, RepositoryUnreadableError

WITHOUT_BLOBS = "host"  # the remote that `without_blobs` tells git of; its URL is written nowhere
_MEMORY = Path("/dev/shm")
_PREFIX = "headwater-blobs-"  # then the process that reads them
_KEPT = 64  # small files that are read one by one: ignore files
_FILTERS = re.compile(r"[ =]filter(?:[ =]|$)", re.MULTILINE)


def without_blobs(url: str) -> tuple[str, ...]:
    """Options that make git fetch commits and trees alone from the remote WITHOUT_BLOBS."""
    settings = {"url": url, "promisor": "true", "partialclonefilter": "blob:none"}
    return tuple(o for name, value in settings.items() for o in ("-c", f"remote.{WITHOUT_BLOBS}.{name}={value}"))


def check_filters(url: str, seconds: float) -> None:
    """Asks before the first fetch: a host that can't leave blobs out would send them all.

    Raises RepositoryUnreadableError.
    """
    _, said = ran_git(["ls-remote", "--", url, "HEAD"], seconds, {"GIT_TRACE_PACKET": "2"})
    if _FILTERS.search(said) is None:
        raise RepositoryUnreadableError(
            "the git host doesn't offer to leave blobs out (uploadpack.allowFilter), which pointers-only mode needs"
        )


def fetched_blobs(url: str, oids: Collection[str], seconds: float) -> dict[str, bytes]:
    """Content by id of those that the host has. Raises RepositoryUnreadableError.

    They lie in a folder in memory, where the system has one, until they are read.
    """
    if not oids:
        return {}
    base = _MEMORY if _MEMORY.is_dir() else Path(tempfile.gettempdir())
    sweep(base)
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", dir=base) as folder:
        run_git(["init", "-q", "--bare", "--template=", folder], seconds)
        options = ("-C", folder, *without_blobs(url), "-c", "fetch.negotiationAlgorithm=noop")
        fetch = ("fetch", "-q", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--stdin")
        run_git([*options, *fetch, "--", WITHOUT_BLOBS], seconds, given="".join(f"{oid}\n" for oid in oids))
        return GitRepository(folder).blobs(oids)


def sweep(base: Path) -> None:
    """Takes away what processes that crashed in the middle of a batch left behind."""
    for folder in base.glob(f"{_PREFIX}*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not process.isdecimal() or not _runs(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class BloblessRepository(GitRepository):
    """A mirror without blobs, with those that are asked for."""

    def __init__(self, location: str | Path, url: str, seconds: float) -> None:
        super().__init__(location)
        self._url, self._seconds = url, seconds
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def read_blob(self, oid: str) -> bytes:
        """Raises TreeUnreadableError."""
        if oid not in self._kept:
            found = self.fetched([oid])
            if oid not in found:
                raise TreeUnreadableError(f"blob {oid} can't be read: the git host doesn't have it (any more)")
            self._kept[oid] = found[oid]
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[oid]

    def fetched(self, oids: Collection[str]) -> Mapping[str, bytes]:
        """All at once; where the host refuses the lot for one that it lacks, one by one. Raises TreeUnreadableError."""
        try:
            return fetched_blobs(self._url, oids, self._seconds)
        except RepositoryUnreadableError as error:
            if len(oids) < 2 or "not our ref" not in str(error):
                raise TreeUnreadableError(str(error)) from error
        return {oid: content for oid in oids for content in self._one(oid)}

    def _one(self, oid: str) -> list[bytes]:
        try:
            return list(fetched_blobs(self._url, [oid], self._seconds).values())
        except RepositoryUnreadableError:
            return []
