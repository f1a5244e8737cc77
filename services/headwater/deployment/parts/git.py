"""Where a service reads repositories."""

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import platformdirs

from headwater.domain.repository_name import is_url
from headwater.domain.tree import TreeUnreadableError
from headwater.settings import SettingsError, absolute_path, load_settings
from headwater.stores.catalog import Catalog
from headwater.stores.mirror_source import MirrorGitSource
from headwater.stores.repository_blobs import ReadBlobs

Meta = msgspec.Meta


class GitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_GIT_…: the only git hosts that are ever talked to are those named here or in the catalog."""

    mirrors: Annotated[
        str, Meta(description="folder for the mirrors of repositories with a URL; empty: the user's cache folder")
    ] = ""
    fetch_s: Annotated[float, Meta(description="longest time for one fetch, seconds", gt=0)] = 120.0
    clone_hosts: Annotated[
        tuple[str, ...], Meta(description="hosts from which objects may be fetched that partial clones left there")
    ] = ()
    repositories: Annotated[
        tuple[str, ...], Meta(description="name=location, with commas; a location is a path or a URL")
    ] = ()
    repositories_file: Annotated[
        str, Meta(description="file of further name=location lines, for more than an environment variable can hold")
    ] = ""

    def mirrors_folder(self) -> Path:
        """Raises SettingsError for a relative path."""
        if not self.mirrors:
            return Path(platformdirs.user_cache_dir("headwater")) / "mirrors"
        return absolute_path(self.mirrors, "HEADWATER_GIT_MIRRORS")

    def locations(self) -> dict[str, str]:
        """Raises SettingsError."""
        pairs = [entry.partition("=") for entry in (*self.repositories, *_lines(self.repositories_file))]
        wrong = [name for name, equals, location in pairs if not (name and equals and location)]
        if wrong:
            raise SettingsError(f"HEADWATER_GIT_REPOSITORIES: write name=location, not {', '.join(wrong)}")
        return {name: location for name, _equals, location in pairs}


def _lines(file: str) -> list[str]:
    """What is neither empty nor a comment (#); [] for no file. Raises SettingsError."""
    if not file:
        return []
    try:
        lines = [line.strip() for line in Path(file).read_text("utf-8").splitlines()]
    except OSError as error:
        raise SettingsError(f"can't read the file of repositories: {error}") from error
    return [line for line in lines if line and not line.startswith("#")]


def git_settings(environ: Mapping[str, str]) -> GitSettings:
    """Raises SettingsError."""
    return load_settings(GitSettings, "git", environ)


def git_source(
    settings: GitSettings, location: Callable[[str], str | None], max_age_s: float, blobs: bool = True
) -> MirrorGitSource:
    """Without `blobs` (pointers-only mode) mirrors hold no content of any file."""
    return MirrorGitSource(location, settings.mirrors_folder(), max_age_s, settings.fetch_s, blobs=blobs)


def in_place(source: MirrorGitSource, location: Callable[[str], str | None]) -> ReadBlobs:
    """Blobs of the repositories that are paths: what a URL names is read from its git host alone."""

    def read(repo: str, oids: Collection[str]) -> Mapping[str, bytes]:
        if is_url(location(repo) or ""):
            raise TreeUnreadableError(f"'{repo}' has its text at its git host: set HEADWATER_ACCESS_GIT_HOST")
        return source.read_blobs(repo, oids)

    return read


def in_catalog(catalog: Catalog) -> Callable[[str], str | None]:
    """Locations as the catalog has them now."""
    return lambda repo: next((r.location for r in catalog.repositories() if r.name == repo), None)


class RememberedLocations:
    """The same, read again after some seconds: one question may need those of all repositories."""

    def __init__(
        self, catalog: Callable[[], Catalog], seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`catalog` gives the one that is live now."""
        self._catalog, self._seconds, self._clock = catalog, seconds, clock
        self._known: dict[str, str] = {}
        self._read_at = float("-inf")

    def __call__(self, repo: str) -> str | None:
        """Raises CatalogUnavailableError."""
        now = self._clock()
        if now - self._read_at >= self._seconds:
            self._known = {r.name: r.location for r in self._catalog().repositories()}
            self._read_at = now
        return self._known.get(repo)
