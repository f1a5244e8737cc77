"""Who may ask: no policy, token or webhook of any form is taken for more than it says."""

import hashlib
import hmac
import json
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import strategies as st

from fuzz.target import Target
from fuzz.texts import any_bytes, any_text, json_values, sound_text
from headwater.clients.http_get import HttpReply
from headwater.clients.oidc_keys import DISCOVERY, OidcKeys
from headwater.commit_ingest.webhook import HOSTS, ForgedError, MalformedError, read_push
from headwater.domain.policy import PolicyError
from headwater.domain.principal import Principal
from headwater.domain.query_error import UnauthenticatedError
from headwater.query.identity.policy_source import read_policy
from headwater.query.identity.tokens import TokenVerifier

ISSUER, AUDIENCE, SECRET = "https://issuer.example", "headwater", "s3cret"

_names = st.one_of(st.sampled_from(["ann", "user:ann", "group:core", "*", "**", "a/b", "shop"]), any_text)
_globs = st.one_of(
    st.sampled_from(["**", "secrets/", "/secrets/", "./secrets/", "secrets\\", "[secrets", "{a,b}/", "!a", "**/x"]),
    any_text,
)
_keys = st.sampled_from(["version", "grants", "groups", "admins", "subjects", "repositories", "allow", "deny", "to"])
_policies = json_values(st.one_of(_keys, _names), 30)


def check_policy(given: tuple[str, Any]) -> None:
    """What is read denies what it names; everything else is refused."""
    suffix, tree = given
    raw = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    file = Path(tempfile.gettempdir()) / f"headwater-fuzz-policy{suffix}"
    file.write_bytes(raw)
    try:
        policy = read_policy(file)
    except PolicyError:
        return
    finally:
        file.unlink()
    policy.grants(Principal("user:nobody-that-any-policy-names", frozenset()))


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@cache
def _verifier() -> TokenVerifier:
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(_key().public_key())) | {"kid": "k", "use": "sig"}
    replies = {
        ISSUER + DISCOVERY: {"issuer": ISSUER, "jwks_uri": f"{ISSUER}/keys"},
        f"{ISSUER}/keys": {"keys": [public]},
    }
    keys = OidcKeys(ISSUER, lambda url: HttpReply(200, json.dumps(replies[url]).encode()))
    return TokenVerifier(keys, ISSUER, AUDIENCE, ["ES256"])


_claims = st.dictionaries(
    st.sampled_from(["iss", "aud", "sub", "exp", "nbf", "iat", "groups"]), json_values(leaves=4), max_size=7
)


def check_token(given: tuple[bool, Any]) -> None:
    """A token that is signed may name somebody; any other names nobody."""
    is_signed, content = given
    token = _signed(content) if is_signed else str(content)
    try:
        principal = _verifier().principal(token)
    except UnauthenticatedError:
        return
    assert is_signed, "a token that nobody signed names somebody"
    assert principal.subject.startswith("user:")


def _signed(claims: dict[str, Any]) -> str:
    usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": time.time() + 60}
    head, body = ({"alg": "ES256", "kid": "k", "typ": "JWT"}, usual | claims)
    parts = [jwt.utils.base64url_encode(json.dumps(part).encode()) for part in (head, body)]
    signing = b".".join(parts)
    signature = jwt.algorithms.ECAlgorithm(jwt.algorithms.ECAlgorithm.SHA256).sign(signing, _key())
    return b".".join([signing, jwt.utils.base64url_encode(signature)]).decode()


_payload_keys = st.sampled_from(["ref", "before", "after", "repository", "project", "full_name", "clone_url"])
_bodies = st.one_of(any_bytes, json_values(_payload_keys, 12).map(lambda value: json.dumps(value).encode()))
_headers = st.dictionaries(
    st.sampled_from(
        ["x-github-event", "x-gitlab-event", "x-gitea-event", "x-hub-signature-256", "x-gitlab-token", "content-type"]
    ),
    st.one_of(st.sampled_from(["push", "Push Hook", "sha256="]), st.text(st.characters(max_codepoint=255))),
)


def check_webhook(given: tuple[str, bool, dict[str, str], bytes]) -> None:
    host, is_signed, headers, body = given
    if is_signed:
        digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = headers | {
            "x-hub-signature-256": f"sha256={digest}",
            "x-gitea-signature": digest,
            "x-gitlab-token": SECRET,
        }
    try:
        read_push(host, headers, body, SECRET)
    except (ForgedError, MalformedError):
        return
    assert is_signed, "a delivery that nobody signed was read"


TARGETS = (
    Target("policies", st.tuples(st.sampled_from([".json", ".yaml"]), st.one_of(_policies, any_bytes)), check_policy),
    Target("tokens", st.one_of(st.tuples(st.just(True), _claims), st.tuples(st.just(False), sound_text)), check_token),
    Target("webhooks", st.tuples(st.sampled_from(HOSTS), st.booleans(), _headers, _bodies), check_webhook, 60),
)
