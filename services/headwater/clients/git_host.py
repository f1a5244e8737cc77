"""Asks a git host under a caller's own token: whether it reads the code of a repository, and for single blobs."""

import base64
import re
import ssl
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol
from urllib.parse import quote, urlsplit

import msgspec

from headwater.clients.http_get import HttpSession, HttpUnreachableError, check_url, http_get

MAX_BLOB_BYTES = 32 << 20  # as it travels: Gitea sends base64
_OID = re.compile(r"[0-9a-f]{40}")


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
_BLOBS: Mapping[HostKind, Callable[[str, str], str]] = {
    HostKind.GITHUB: lambda name, oid: f"/repos/{quote(name)}/git/blobs/{oid}",
    HostKind.GITLAB: lambda name, oid: f"/projects/{quote(name, safe='')}/repository/blobs/{oid}/raw",
    HostKind.GITEA: lambda name, oid: f"/repos/{quote(name)}/git/blobs/{oid}",
}
_AS_BYTES = {
    HostKind.GITHUB: "application/vnd.github.raw+json",
    HostKind.GITLAB: "*/*",
    HostKind.GITEA: "application/json",
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
        try:
            reply = http_get(self._api + _PATHS[self._kind](repository), self._headers(token), timeout_s, self._tls)
        except HttpUnreachableError:
            return False
        return reply.status == 200

    def session(self) -> HttpSession:
        """A connection for several blobs."""
        return HttpSession(self._api, self._tls)

    def blob(self, session: HttpSession, token: str, repository: str, oid: str, timeout_s: float) -> bytes | None:
        """What the host shows this token under a blob's id; None for a no. Raises HttpUnreachableError."""
        if not is_full_name(repository) or not is_token(token) or not _OID.fullmatch(oid):
            return None
        target = urlsplit(self._api).path + _BLOBS[self._kind](repository, oid)
        headers = {**self._headers(token), "Accept": _AS_BYTES[self._kind]}
        reply = session.get(target, headers, timeout_s, MAX_BLOB_BYTES)
        if reply.status != 200:
            return None
        return _decoded(reply.body) if self._kind is HostKind.GITEA else reply.body

    def _headers(self, token: str) -> dict[str, str]:
        return {"Authorization": f"{_SCHEMES[self._kind]} {token}"}


class _GiteaBlob(msgspec.Struct):
    encoding: str
    content: str


def _decoded(body: bytes) -> bytes | None:
    try:
        found = msgspec.json.decode(body, type=_GiteaBlob)
        return base64.b64decode(found.content) if found.encoding == "base64" else None
    except (msgspec.DecodeError, ValueError):
        return None


def is_full_name(repository: str) -> bool:
    """owner/name, or group/subgroup/name."""
    parts = repository.split("/")
    return len(parts) > 1 and all(part not in ("", ".", "..") for part in parts)


def is_token(token: str) -> bool:
    """Something that may stand in a header."""
    return 0 < len(token) <= 4096 and token.isascii() and token.isprintable() and " " not in token
