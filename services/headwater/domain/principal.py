"""Who asks."""

import msgspec


class Principal(msgspec.Struct, frozen=True):
    """`subject` is user:NAME (a token's), cert:NAME (a certificate's) or "anyone"; groups are those its issuer says."""

    subject: str
    groups: frozenset[str] = frozenset()

    @property
    def is_known(self) -> bool:
        return self.subject != ANYONE


ANYONE = "anyone"
ANONYMOUS = Principal(ANYONE)
