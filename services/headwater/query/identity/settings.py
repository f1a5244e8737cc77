"""How the query service knows its callers: every way in is named here, and there is none by default."""

from typing import Annotated, Literal

import msgspec

Meta = msgspec.Meta


class AccessSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_ACCESS_…"""

    anonymous: Annotated[
        bool, Meta(description="answer callers without identity: as `anyone` of the policy; without one, everything")
    ] = False
    policy: Annotated[str, Meta(description="policy file, YAML or JSON, read again when it changes")] = ""
    oidc_issuer: Annotated[str, Meta(description="issuer URL, exactly as in the tokens' `iss`")] = ""
    oidc_audience: Annotated[str, Meta(description="what the tokens' `aud` must hold; required with an issuer")] = ""
    oidc_algorithms: Annotated[tuple[str, ...], Meta(description="signatures accepted, of RS, PS, ES and EdDSA")] = (
        "RS256",
        "PS256",
        "ES256",
        "EdDSA",
    )
    oidc_name_claim: Annotated[str, Meta(description="claim that names the user")] = "sub"
    oidc_groups_claim: Annotated[str, Meta(description="claim that lists the user's groups")] = "groups"
    oidc_key_hosts: Annotated[tuple[str, ...], Meta(description="further hosts that may serve keys")] = ()
    oidc_leeway_s: Annotated[float, Meta(description="clock difference allowed, seconds", ge=0, le=300)] = 30.0
    ca: Annotated[str, Meta(description="PEM file to trust for the issuer and the git host; empty: the system's")] = ""
    tls_certificate: Annotated[str, Meta(description="the server's certificate chain, PEM; read again on change")] = ""
    tls_key: Annotated[str, Meta(description="the server's private key, PEM")] = ""
    client_ca: Annotated[str, Meta(description="PEM file: callers must show a certificate signed by it")] = ""
    certificate_name: Annotated[
        Literal["common-name", "alternative-name"], Meta(description="what of a client certificate names the caller")
    ] = "common-name"
    git_host: Annotated[
        Literal["", "github", "gitlab", "gitea"],
        Meta(description="ask this kind of host under the caller's token (metadata x-git-token) what it may read"),
    ] = ""
    git_host_api: Annotated[str, Meta(description="the API's URL: https://api.github.com, …/api/v4, …/api/v1")] = ""
    git_host_ttl_s: Annotated[float, Meta(description="how long its answers count, seconds", gt=0, le=50)] = 45.0
    git_host_wait_s: Annotated[float, Meta(description="longest wait for the host in a call", gt=0, le=10)] = 5.0
    audit_log: Annotated[str, Meta(description="append one JSON object a call to this file")] = ""
    audit_queries: Annotated[bool, Meta(description="record the text of questions as well")] = False
    audit_required: Annotated[bool, Meta(description="answer nothing that can't be recorded in `AUDIT_LOG`")] = False
    web_hosts: Annotated[
        tuple[str, ...],
        Meta(description="names under which browsers ask for the web page, beside IP addresses; needed with anonymous"),
    ] = ()
