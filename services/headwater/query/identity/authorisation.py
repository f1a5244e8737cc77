"""From a call to what its caller may read: token or certificate, then policy, then the git host."""

from collections.abc import Callable, Iterable

import msgspec

from headwater.domain.credential import Credential
from headwater.domain.grants import Grants
from headwater.domain.principal import ANONYMOUS, Principal
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.caller import Caller
from headwater.query.identity.certificates import certificate_principal
from headwater.query.identity.host_grants import HostGrants
from headwater.query.identity.policy_source import PolicySource
from headwater.query.identity.tokens import TokenVerifier

AUTHORIZATION, GIT_TOKEN = "authorization", "x-git-token"


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """How callers are known and what decides about them. Without policy and host a known caller reads everything."""

    tokens: TokenVerifier | None = None
    certificate_name: str = ""  # "": certificates name nobody
    anonymous: bool = False
    policy: PolicySource | None = None
    host: HostGrants | None = None


class Authorisation:
    """An `Authorise`: one for a server."""

    def __init__(self, ways: Ways, repositories: Callable[[], Iterable[str]]) -> None:
        """`repositories` are the names of all that is indexed; the git host is asked about those."""
        self._ways, self._repositories = ways, repositories

    def __call__(self, caller: Caller) -> Grants:
        """Raises UnauthenticatedError, UnavailableError."""
        metadata = _single_values(caller)
        principal = self._principal(metadata, caller)
        return self._grants(principal, metadata.get(GIT_TOKEN, ""))

    def _principal(self, metadata: dict[str, str], caller: Caller) -> Principal:
        scheme, _, token = metadata.get(AUTHORIZATION, "").partition(" ")
        if scheme:
            if self._ways.tokens is None or scheme.lower() != "bearer":
                raise UnauthenticatedError("BAD_TOKEN", "this server takes no such credentials: see how it is set up")
            return self._ways.tokens.principal(token.strip())
        if self._ways.certificate_name:
            certified = certificate_principal(caller.auth_context(), self._ways.certificate_name)
            if certified is not None:
                return certified
        if self._ways.anonymous:
            return ANONYMOUS
        raise UnauthenticatedError("NO_IDENTITY", "who asks is not known: send 'authorization: Bearer TOKEN'")

    def _grants(self, principal: Principal, git_token: str) -> Grants:
        policy, host = self._ways.policy, self._ways.host
        grants = policy.current().grants(principal) if policy is not None else Grants(principal=principal.subject)
        grants = msgspec.structs.replace(grants, credential=Credential.of(git_token) if git_token else None)
        if host is None:
            return grants
        candidates = [repo for repo in self._repositories() if grants.allows_repo(repo)]
        readable = host.readable(git_token, candidates) if git_token else frozenset()
        return msgspec.structs.replace(grants, repos=readable)


def _single_values(caller: Caller) -> dict[str, str]:
    """Metadata by key. Raises UnauthenticatedError for a credential that is given twice."""
    found: dict[str, str] = {}
    for key, value in caller.invocation_metadata():
        if key in found and key in (AUTHORIZATION, GIT_TOKEN):
            raise UnauthenticatedError("BAD_TOKEN", f"{key} is given twice: send it once")
        found[key] = value if isinstance(value, str) else ""
    return found
