"""A caller's own credential at the git host: passed on for its questions, shown and kept nowhere."""

import hashlib

import msgspec


class Credential(msgspec.Struct, frozen=True):
    """`token` is empty in what outlives the question; `digest` still tells one credential from another."""

    digest: str  # 32 hex
    token: str = ""

    def __repr__(self) -> str:
        return f"Credential({self.digest[:8]}…)"

    @staticmethod
    def of(token: str) -> "Credential":
        raw = token.encode("utf-8", "surrogatepass")
        return Credential(hashlib.blake2b(raw, digest_size=16).hexdigest(), token)

    @property
    def remembered(self) -> "Credential":
        """The same without the token."""
        return Credential(self.digest)
