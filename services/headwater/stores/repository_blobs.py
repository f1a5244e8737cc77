"""Blobs from repositories that are read in place: the disk is the git host's own, and the grants alone decide."""

from collections.abc import Callable, Collection, Iterator, Mapping

from headwater.domain.credential import Credential
from headwater.domain.tree import TreeUnreadableError

Blob = tuple[str, str]  # repository, id
ReadBlobs = Callable[[str, Collection[str]], Mapping[str, bytes]]  # may raise TreeUnreadableError


class RepositoryBlobs:
    """A `BlobHost` that needs no credential."""

    def __init__(self, read: ReadBlobs) -> None:
        self._read = read

    def blobs(
        self, credential: Credential | None, wanted: Collection[Blob], seconds: float
    ) -> Iterator[tuple[Blob, bytes]]:
        by_repo: dict[str, list[str]] = {}
        for repo, oid in wanted:
            by_repo.setdefault(repo, []).append(oid)
        for repo, oids in by_repo.items():
            try:
                found = self._read(repo, oids)
            except TreeUnreadableError:
                continue
            yield from (((repo, oid), content) for oid, content in found.items())
