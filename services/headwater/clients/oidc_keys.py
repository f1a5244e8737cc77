"""The signing keys of an OIDC issuer: discovered, cached, and fetched again when a new one appears."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from headwater.clients.http_get import HttpReply, HttpUnreachableError, check_url

DISCOVERY = "/.well-known/openid-configuration"

Get = Callable[[str], HttpReply]  # raises HttpUnreachableError


class KeysUnavailableError(Exception):
    """The issuer's keys can't be had now."""


class _Discovery(msgspec.Struct):
    issuer: str
    jwks_uri: str


class _KeySet(msgspec.Struct):
    keys: list[dict[str, Any]]


class OidcKeys:
    """JSON Web Keys by key id. Safe to use from several threads; at most one of them fetches."""

    def __init__(
        self,
        issuer: str,
        get: Get,
        hosts: Sequence[str] = (),
        ttl_s: float = 300.0,
        pause_s: float = 10.0,
        stale_s: float = 3600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keys are fetched after `ttl_s`, or for an unknown key id, but at most every `pause_s`.

        While the issuer is down the last keys serve until `stale_s`. `hosts` may serve keys besides the issuer's own.
        Raises ValueError for an issuer that is neither https nor loopback.
        """
        self._issuer, self._get, self._clock = check_url(issuer), get, clock
        self._hosts = {urlsplit(issuer).hostname, *hosts}
        self._ttl_s, self._pause_s, self._stale_s = ttl_s, pause_s, stale_s
        self._keys: dict[str, dict[str, Any]] = {}
        self._fetched_at = self._tried_at = float("-inf")
        self._fetching = threading.Lock()

    def key(self, key_id: str) -> dict[str, Any] | None:
        """The key, None when the issuer has none of this id. Raises KeysUnavailableError."""
        if (found := self._fresh(key_id)) is not None:
            return found  # never waits for a fetch
        with self._fetching:
            if self._fresh(key_id) is None and self._clock() - self._tried_at >= self._pause_s:
                self._tried_at = self._clock()
                self._fetch()
            if self._clock() - self._fetched_at > self._stale_s:
                raise KeysUnavailableError(f"the keys of {self._issuer} can't be read")
            return self._keys.get(key_id)

    def _fresh(self, key_id: str) -> dict[str, Any] | None:
        return self._keys.get(key_id) if self._clock() - self._fetched_at <= self._ttl_s else None

    def _fetch(self) -> None:
        """Keeps the last keys when it fails."""
        try:
            found = self._decoded(self._issuer.rstrip("/") + DISCOVERY, _Discovery)
            if found.issuer != self._issuer or urlsplit(check_url(found.jwks_uri)).hostname not in self._hosts:
                return
            keys = self._decoded(found.jwks_uri, _KeySet).keys
        except (HttpUnreachableError, msgspec.MsgspecError, ValueError):
            return
        signing = [k for k in keys if isinstance(k.get("kid"), str) and k.get("use", "sig") == "sig"]
        self._keys = {k["kid"]: k for k in signing if k.get("kty") in ("RSA", "EC", "OKP")}
        self._fetched_at = self._clock()

    def _decoded(self, url: str, kind: Any) -> Any:
        reply = self._get(url)
        if reply.status != 200:
            raise HttpUnreachableError(f"{url} answered {reply.status}")
        return msgspec.json.decode(reply.body, type=kind)
