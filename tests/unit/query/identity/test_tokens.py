"""Which bearer tokens name a user."""

import json
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from headwater.clients.http_get import HttpReply, HttpUnreachableError
from headwater.clients.oidc_keys import DISCOVERY, OidcKeys
from headwater.domain.principal import Principal
from headwater.domain.query_error import UnauthenticatedError, UnavailableError
from headwater.query.identity.tokens import TokenVerifier

ISSUER, AUDIENCE = "https://issuer.example", "headwater"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


def jwk(key: Any, kid: str, **more: str) -> dict[str, Any]:
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return json.loads(algorithm.to_jwk(key.public_key())) | {"kid": kid, "use": "sig"} | more


class Issuer:
    """Answers discovery and keys; counts what it was asked."""

    def __init__(self) -> None:
        self.keys = [jwk(RSA, "r1"), jwk(EC, "e1")]
        self.asked, self.down, self.issuer, self.keys_at = 0, False, ISSUER, f"{ISSUER}/keys"

    def get(self, url: str) -> HttpReply:
        if self.down:
            raise HttpUnreachableError("down")
        if url == ISSUER + DISCOVERY:
            return HttpReply(200, json.dumps({"issuer": self.issuer, "jwks_uri": self.keys_at}).encode())
        self.asked += 1
        return HttpReply(200, json.dumps({"keys": self.keys}).encode())


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _verifier(issuer: Issuer, clock: Clock | None = None, **more: Any) -> TokenVerifier:
    keys = OidcKeys(ISSUER, issuer.get, clock=clock or Clock())
    return TokenVerifier(keys, ISSUER, AUDIENCE, more.pop("algorithms", ["RS256", "ES256"]), **more)


def _token(key: Any = RSA, kid: str | None = "r1", algorithm: str = "RS256", headers: Any = None, **claims: Any) -> str:
    now = time.time()
    body = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": now + 60, "groups": ["core"]} | claims
    body = {name: value for name, value in body.items() if value is not None}
    return jwt.encode(body, key, algorithm, headers={"kid": kid, **(headers or {})} if kid else headers)


def test_good_tokens_name_user_and_groups() -> None:
    verifier = _verifier(Issuer())
    assert verifier.principal(_token()) == Principal("user:ann", frozenset({"core"}))
    assert verifier.principal(_token(EC, "e1", "ES256", sub="bob", groups=None)) == Principal("user:bob")
    assert verifier.principal(_token(aud=["x", AUDIENCE])).subject == "user:ann"


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (lambda: _token(exp=time.time() - 120), "expired"),
        (lambda: _token(exp=None), "not valid"),
        (lambda: _token(nbf=time.time() + 120), "not valid"),
        (lambda: _token(iat=time.time() + 120), "not valid"),
        (lambda: _token(aud="other"), "another audience"),
        (lambda: _token(aud=None), "audience|not valid"),
        (lambda: _token(iss="https://evil.example"), "another issuer"),
        (lambda: _token(iss=ISSUER + "/"), "another issuer"),
        (lambda: _token(sub=None), "not valid"),
        (lambda: _token(sub=""), "no name"),
        (lambda: _token(sub="a\nb"), "no name"),
        (lambda: _token(groups="core"), "no list"),
        (lambda: _token(OTHER), "not valid"),
        (lambda: _token(kid="unknown"), "no such key"),
        (lambda: _token(kid=None), "names no accepted"),
        (lambda: _token(EC, "r1", "ES256"), "no such key"),
        (lambda: jwt.encode({"sub": "ann"}, "", "none", headers={"kid": "r1"}), "names no accepted"),
        (lambda: jwt.encode({"sub": "ann"}, "x" * 32, "HS256", headers={"kid": "r1"}), "names no accepted"),
        (lambda: _token(headers={"crit": ["x"]}), "names no accepted|not valid"),
        (lambda: "garbage", "not valid"),
        (lambda: "a.b.c", "not valid"),
        (lambda: "é" * 20, "not valid"),
        (lambda: "x" * 20_000, "too long"),
    ],
)
def test_bad_tokens_are_refused(token: Any, said: str) -> None:
    with pytest.raises(UnauthenticatedError, match=said):
        _verifier(Issuer()).principal(token())


def test_clocks_may_differ_a_little() -> None:
    assert _verifier(Issuer()).principal(_token(exp=time.time() - 20)).subject == "user:ann"


def test_a_key_says_its_only_algorithm() -> None:
    issuer = Issuer()
    issuer.keys = [jwk(RSA, "r1", alg="PS256")]
    with pytest.raises(UnauthenticatedError, match="no such key"):
        _verifier(issuer).principal(_token())


def test_keys_for_encryption_verify_nothing() -> None:
    issuer = Issuer()
    issuer.keys = [jwk(RSA, "r1", use="enc")]
    with pytest.raises(UnauthenticatedError, match="no such key"):
        _verifier(issuer).principal(_token())


@pytest.mark.parametrize("algorithms", [["HS256"], ["none"], ["RS256", "HS512"], []])
def test_only_safe_algorithms_can_be_set(algorithms: list[str]) -> None:
    with pytest.raises(ValueError, match="algorithm"):
        _verifier(Issuer(), algorithms=algorithms)


def test_an_unknown_key_is_fetched_once_a_pause() -> None:
    issuer, clock = Issuer(), Clock()
    verifier = _verifier(issuer, clock)
    verifier.principal(_token())
    for _ in range(50):
        with pytest.raises(UnauthenticatedError):
            verifier.principal(_token(kid="unknown"))
    assert issuer.asked == 1
    issuer.keys = [jwk(OTHER, "r2")]
    clock.now += 11
    assert verifier.principal(_token(OTHER, "r2")).subject == "user:ann"
    assert issuer.asked == 2
    with pytest.raises(UnauthenticatedError):
        verifier.principal(_token())


def test_a_withdrawn_key_is_gone_after_its_time() -> None:
    issuer, clock = Issuer(), Clock()
    verifier = _verifier(issuer, clock)
    verifier.principal(_token())
    issuer.keys = [jwk(EC, "e1")]
    clock.now += 301
    with pytest.raises(UnauthenticatedError):
        verifier.principal(_token())


def test_a_dead_issuer_is_survived_for_an_hour() -> None:
    issuer, clock = Issuer(), Clock()
    verifier = _verifier(issuer, clock)
    verifier.principal(_token())
    issuer.down = True
    clock.now += 3000
    assert verifier.principal(_token()).subject == "user:ann"
    clock.now += 700
    with pytest.raises(UnavailableError, match="can't be read"):
        verifier.principal(_token())


def test_keys_come_from_the_issuer_and_the_named_hosts_only() -> None:
    issuer = Issuer()
    issuer.keys_at = "https://elsewhere.example/keys"
    with pytest.raises(UnavailableError):
        _verifier(issuer).principal(_token())
    named = OidcKeys(ISSUER, issuer.get, ["elsewhere.example"])
    assert TokenVerifier(named, ISSUER, AUDIENCE, ["RS256"]).principal(_token()).subject == "user:ann"


def test_another_issuers_discovery_is_not_believed() -> None:
    issuer = Issuer()
    issuer.issuer = "https://evil.example"
    with pytest.raises(UnavailableError):
        _verifier(issuer).principal(_token())


def test_an_issuer_needs_https() -> None:
    with pytest.raises(ValueError, match="https"):
        OidcKeys("http://issuer.example", Issuer().get)
