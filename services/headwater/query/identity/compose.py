"""From settings to the parts of access control."""

import ssl
from collections.abc import Callable, Iterable
from pathlib import Path

import grpc
import msgspec

from headwater.clients.git_host import HostKind, HttpGitHost
from headwater.clients.http_get import http_get
from headwater.clients.oidc_keys import OidcKeys
from headwater.domain.address import Address, AddressError, parse_address
from headwater.domain.policy import PolicyError
from headwater.query.identity.audit import AuditLog, JsonLinesAuditLog
from headwater.query.identity.authorisation import Authorisation, Ways
from headwater.query.identity.certificates import server_credentials
from headwater.query.identity.host_grants import HostGrants
from headwater.query.identity.policy_source import PolicySource
from headwater.query.identity.settings import AccessSettings
from headwater.query.identity.tokens import TokenVerifier
from headwater.settings import SettingsError

ISSUER_TIMEOUT_S = 5.0


class AccessControl(msgspec.Struct, frozen=True):
    """What a server needs: `authorise` is None where everybody who reaches it reads everything."""

    authorise: Authorisation | None
    credentials: grpc.ServerCredentials | None
    audit: AuditLog | None
    web_hosts: (
        tuple[str, ...] | None
    ) = ()  # names under which the page is asked for; None: any, since callers are known


def access_control(settings: AccessSettings, address: str, repositories: Callable[[], Iterable[str]]) -> AccessControl:
    """Raises SettingsError, also for an address beyond loopback where nothing says who may ask."""
    ways = _ways(settings)
    known = ways.tokens is not None or bool(ways.certificate_name) or ways.anonymous
    if (ways.policy is not None or ways.host is not None) and not known:
        raise SettingsError("a policy or git host needs callers: set an OIDC issuer, a client CA, or anonymous access")
    if not known and not _address(address).is_loopback:
        raise SettingsError(
            f"{address} is reachable by others and nothing says who may ask: set HEADWATER_ACCESS_OIDC_ISSUER,"
            " HEADWATER_ACCESS_CLIENT_CA or HEADWATER_ACCESS_ANONYMOUS=true, or listen on 127.0.0.1"
        )
    return AccessControl(
        Authorisation(ways, repositories) if known else None,
        server_credentials(settings),
        audit_log(settings),
        _web_hosts(settings),
    )


def _web_hosts(settings: AccessSettings) -> tuple[str, ...] | None:
    """Where anybody may ask, only the name keeps other sites out: a browser may be led here under theirs."""
    return settings.web_hosts if settings.anonymous or settings.web_hosts else None


def audit_log(settings: AccessSettings) -> AuditLog | None:
    """Raises SettingsError."""
    if settings.audit_log:
        return JsonLinesAuditLog(Path(settings.audit_log), settings.audit_queries, settings.audit_required)
    if settings.audit_required:
        raise SettingsError("HEADWATER_ACCESS_AUDIT_REQUIRED needs HEADWATER_ACCESS_AUDIT_LOG: name the file")
    return None


def _address(text: str) -> Address:
    try:
        return parse_address(text)
    except AddressError as error:
        raise SettingsError(str(error)) from error


def _ways(settings: AccessSettings) -> Ways:
    try:
        tls = ssl.create_default_context(cafile=settings.ca or None)
        return Ways(
            tokens=_tokens(settings, tls) if settings.oidc_issuer else None,
            certificate_name=settings.certificate_name if settings.client_ca else "",
            anonymous=settings.anonymous,
            policy=PolicySource(Path(settings.policy)) if settings.policy else None,
            host=_host(settings, tls) if settings.git_host else None,
        )
    except (OSError, ValueError, PolicyError) as error:
        raise SettingsError(str(error)) from error


def _tokens(settings: AccessSettings, tls: ssl.SSLContext) -> TokenVerifier:
    keys = OidcKeys(settings.oidc_issuer, lambda url: http_get(url, {}, ISSUER_TIMEOUT_S, tls), settings.oidc_key_hosts)
    return TokenVerifier(
        keys,
        settings.oidc_issuer,
        settings.oidc_audience,
        settings.oidc_algorithms,
        settings.oidc_name_claim,
        settings.oidc_groups_claim,
        settings.oidc_leeway_s,
    )


def _host(settings: AccessSettings, tls: ssl.SSLContext) -> HostGrants:
    host = HttpGitHost(HostKind(settings.git_host), settings.git_host_api, tls)
    return HostGrants(host, settings.git_host_ttl_s, settings.git_host_wait_s)
