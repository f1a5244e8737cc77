"""Bearer tokens: a JWT of the configured issuer becomes a principal, anything else an error that says why."""

from collections.abc import Sequence
from typing import Any

import jwt

from headwater.clients.oidc_keys import KeysUnavailableError, OidcKeys
from headwater.domain.principal import Principal
from headwater.domain.query_error import UnauthenticatedError, UnavailableError
from headwater.query.workers import waiting_elsewhere

SAFE_ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)  # asymmetric ones only: a shared secret would let every verifier sign
MAX_TOKEN, MAX_NAME, MAX_GROUPS = 16_384, 256, 1000
_FAMILIES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


class TokenVerifier:
    """Checks signature, issuer, audience and times."""

    def __init__(
        self,
        keys: OidcKeys,
        issuer: str,
        audience: str,
        algorithms: Sequence[str],
        name_claim: str = "sub",
        groups_claim: str = "groups",
        leeway_s: float = 30.0,
    ) -> None:
        """Raises ValueError for an algorithm that isn't safe, and without an audience."""
        if unsafe := set(algorithms) - SAFE_ALGORITHMS:
            raise ValueError(f"no safe signature algorithm: {', '.join(sorted(unsafe))}")
        if not (audience and algorithms):
            raise ValueError("an issuer needs an audience and an algorithm")
        self._keys, self._issuer, self._audience, self._algorithms = keys, issuer, audience, tuple(algorithms)
        self._name_claim, self._groups_claim, self._leeway_s = name_claim, groups_claim, leeway_s

    def principal(self, token: str) -> Principal:
        """Raises UnauthenticatedError, UnavailableError."""
        if len(token) > MAX_TOKEN:
            raise _refused("it is too long")
        try:
            claims = self._claims(token)
        except jwt.ExpiredSignatureError:
            raise _refused("it has expired") from None
        except jwt.InvalidAudienceError:
            raise _refused("it is for another audience") from None
        except jwt.InvalidIssuerError:
            raise _refused("it is another issuer's") from None
        except jwt.PyJWTError:
            raise _refused("it is not valid") from None
        return Principal(f"user:{self._name(claims)}", self._groups(claims))

    def _claims(self, token: str) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in self._algorithms or not isinstance(key_id, str) or "crit" in header:
            raise _refused("its header names no accepted algorithm and key")
        key = self._key(key_id, algorithm)
        found: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=self._audience,
            issuer=self._issuer,
            leeway=self._leeway_s,
            options={"require": ["exp", "iss", "aud", self._name_claim]},
        )
        return found

    def _key(self, key_id: str, algorithm: str) -> jwt.PyJWK:
        try:
            with waiting_elsewhere():
                found = self._keys.key(key_id)
        except KeysUnavailableError as error:
            raise UnavailableError("ISSUER_UNAVAILABLE", f"{error}: try again", 5.0) from error
        if found is None or found["kty"] != _FAMILIES[algorithm[:2]] or found.get("alg", algorithm) != algorithm:
            raise _refused("its issuer has no such key")
        return jwt.PyJWK.from_dict(found, algorithm)

    def _name(self, claims: dict[str, Any]) -> str:
        name = claims[self._name_claim]
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable():
            raise _refused(f"its claim {self._name_claim} is no name")
        return name

    def _groups(self, claims: dict[str, Any]) -> frozenset[str]:
        listed = claims.get(self._groups_claim, [])
        if not isinstance(listed, list) or len(listed) > MAX_GROUPS:
            raise _refused(f"its claim {self._groups_claim} is no list of at most {MAX_GROUPS} names")
        return frozenset(g for g in listed if isinstance(g, str))


def _refused(why: str) -> UnauthenticatedError:
    return UnauthenticatedError("BAD_TOKEN", f"the bearer token is refused: {why}; get a new one from the issuer")
