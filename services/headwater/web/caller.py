"""Who asks over HTTP, in the form in which the Authorise function of the gRPC service asks for it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from headwater.domain.answer import Answer, FreshnessAnswer
from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.query_error import QueryError


class HttpCaller:
    """What Authorise reads of a call: metadata (the request's headers, names in lower case) and the peer.

    A reverse proxy in front authenticates browsers and passes their bearer token on.
    """

    def __init__(self, headers: Iterable[tuple[str, str]], peer: str) -> None:
        self._metadata = tuple((name.lower(), value) for name, value in headers)
        self._peer = peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def auth_context(self) -> dict[str, list[bytes]]:
        """No client certificate reaches this port."""
        return {}

    def peer(self) -> str:
        return self._peer


Authorise = Callable[[Any], Grants]  # the gRPC service's own; raises QueryError


def allow_all(_caller: HttpCaller) -> Grants:
    """Where the address alone decides who may ask."""
    return ALLOW_ALL


class Asked(msgspec.Struct, frozen=True):
    """A question that the page has asked, and what came of it: an error or an answer."""

    name: str
    parameters: Mapping[str, str]
    peer: str
    grants: Grants
    error: QueryError | None
    answer: Answer | FreshnessAnswer | None
    seconds: float


NOBODY = Grants(repos=frozenset())  # until who asks is known
Observe = Callable[[Asked], None]


def unobserved(_asked: Asked) -> None:
    """Where no audit log is kept."""
