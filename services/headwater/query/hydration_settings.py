"""Where texts come from in pointers-only mode: the git host of the access settings, or the repositories."""

import ssl
from collections.abc import Mapping
from typing import Annotated

import msgspec

from headwater.clients.git_host import HostKind, HttpGitHost
from headwater.clients.host_blobs import HostBlobs
from headwater.query.hydration import Hydration
from headwater.query.identity.settings import AccessSettings
from headwater.settings import SettingsError, load_settings
from headwater.stores.repository_blobs import ReadBlobs, RepositoryBlobs

Meta = msgspec.Meta


class HydrationSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_HYDRATION_…, of a pointers-only index alone."""

    wait_s: Annotated[float, Meta(description="longest wait for the git host at a time", gt=0, le=30)] = 2.0
    ttl_s: Annotated[float, Meta(description="how long a caller's texts are remembered, seconds", ge=0, le=50)] = 45.0
    kept_mib: Annotated[int, Meta(description="memory for remembered texts, MiB", ge=0)] = 64


def hydration_from(environ: Mapping[str, str], access: AccessSettings, in_place: ReadBlobs) -> Hydration:
    """With a git host, from its API under the caller's own token alone; else `in_place`. Raises SettingsError."""
    settings = load_settings(HydrationSettings, "hydration", environ)
    host = _git_host(access) if access.git_host else RepositoryBlobs(in_place)
    return Hydration(host, settings.wait_s, settings.ttl_s, settings.kept_mib << 20)


def _git_host(access: AccessSettings) -> HostBlobs:
    try:
        tls = ssl.create_default_context(cafile=access.ca or None)
        return HostBlobs(HttpGitHost(HostKind(access.git_host), access.git_host_api, tls))
    except (OSError, ValueError) as error:
        raise SettingsError(str(error)) from error
