"""Webhooks of GitHub, GitLab and Gitea: is it genuine, and which refs of which repository does it speak of? Pure."""

import hashlib
import hmac
from collections.abc import Mapping

import msgspec

HOSTS = ("github", "gitlab", "gitea")
MAX_BODY = 4 << 20  # bytes; a push event beyond it is refused before it is read, and polling takes its commit in
_ZERO = "0" * 40


class ForgedError(Exception):
    """The signature or token is missing or wrong."""


class MalformedError(Exception):
    """Genuine, but not a push event of the form that its host documents."""


class Push(msgspec.Struct, frozen=True):
    """What a push event says. `names` are all spellings of the repository that the host gives."""

    names: tuple[str, ...]
    ref: str
    before: str  # 40 hex, "" for a new ref
    after: str  # 40 hex, "" for a deleted ref


class _Repository(msgspec.Struct):
    full_name: str = ""
    clone_url: str = ""
    ssh_url: str = ""
    path_with_namespace: str = ""
    git_http_url: str = ""
    git_ssh_url: str = ""


class _Payload(msgspec.Struct):
    ref: str
    before: str
    after: str
    repository: _Repository = msgspec.field(default_factory=_Repository)
    project: _Repository = msgspec.field(default_factory=_Repository)


def read_push(host: str, headers: Mapping[str, str], body: bytes, secret: str) -> Push | None:
    """The push of a genuine delivery; None for a genuine event of another kind (a ping).

    `headers` have lower-case names. Raises ForgedError, MalformedError.
    """
    _check(host, headers, body, secret)
    if headers.get(_EVENT[host], "") not in _PUSHES[host]:
        return None
    try:
        payload = msgspec.json.decode(body, type=_Payload)
    except msgspec.MsgspecError as error:
        raise MalformedError(f"not a push event of {host}: {error}") from error
    names = tuple(n for n in (*_names(payload.repository), *_names(payload.project)) if n)
    if not names:
        raise MalformedError(f"a push event of {host} that names no repository")
    return Push(names, payload.ref, _commit(payload.before), _commit(payload.after))


def _check(host: str, headers: Mapping[str, str], body: bytes, secret: str) -> None:
    if host == "gitlab":  # GitLab sends the secret itself, the others a digest of the body
        genuine = hmac.compare_digest(headers.get("x-gitlab-token", "").encode(), secret.encode())
    else:
        digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        sent = headers.get(_SIGNATURE[host], "").removeprefix("sha256=")
        genuine = hmac.compare_digest(sent.encode(), digest.encode())
    if not secret or not genuine:
        raise ForgedError(f"the delivery is not signed with the secret configured for {host}")


def _names(repository: _Repository) -> tuple[str, ...]:
    return tuple(getattr(repository, field) for field in _Repository.__struct_fields__)


def _commit(oid: str) -> str:
    return "" if oid == _ZERO else oid


_SIGNATURE = {"github": "x-hub-signature-256", "gitea": "x-gitea-signature"}
_EVENT = {"github": "x-github-event", "gitlab": "x-gitlab-event", "gitea": "x-gitea-event"}
_PUSHES = {
    "github": {"push"},
    "gitlab": {"Push Hook", "Tag Push Hook"},
    "gitea": {"push"},
}
