"""Asks a git host whether a caller's own token reads the code of a repository."""

import ssl
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol
from urllib.parse import quote

from headwater.clients.http_get import HttpUnreachableError, check_url, http_get


class HostKind(StrEnum):
    """Whose API it is."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GITEA = "gitea"


class GitHost(Protocol):
    """What authorisation needs of a git host."""

    def reads(self, token: str, repository: str, timeout_s: float) -> bool:
        """Whether the token reads the code of owner/name; every doubt is a no."""
        ...


# Listing one branch needs the right to read code, which seeing that a repository exists does not.
_PATHS: Mapping[HostKind, Callable[[str], str]] = {
    HostKind.GITHUB: lambda name: f"/repos/{quote(name)}/branches?per_page=1",
    HostKind.GITLAB: lambda name: f"/projects/{quote(name, safe='')}/repository/branches?per_page=1",
    HostKind.GITEA: lambda name: f"/repos/{quote(name)}/branches?limit=1",
}
_SCHEMES = {HostKind.GITHUB: "Bearer", HostKind.GITLAB: "Bearer", HostKind.GITEA: "token"}


class HttpGitHost:
    """`GitHost` over the host's REST API."""

    def __init__(self, kind: HostKind, api: str, tls: ssl.SSLContext | None = None) -> None:
        """`api`: https://api.github.com, https://gitlab.example/api/v4 or https://gitea.example/api/v1."""
        self._kind, self._api, self._tls = kind, check_url(api).rstrip("/"), tls

    def reads(self, token: str, repository: str, timeout_s: float) -> bool:
        if not is_full_name(repository) or not is_token(token):
            return False
        headers = {"Authorization": f"{_SCHEMES[self._kind]} {token}"}
        try:
            return http_get(self._api + _PATHS[self._kind](repository), headers, timeout_s, self._tls).status == 200
        except HttpUnreachableError:
            return False


def is_full_name(repository: str) -> bool:
    """owner/name, or group/subgroup/name."""
    parts = repository.split("/")
    return len(parts) > 1 and all(part not in ("", ".", "..") for part in parts)


def is_token(token: str) -> bool:
    """Something that may stand in a header."""
    return 0 < len(token) <= 4096 and token.isascii() and token.isprintable() and " " not in token
