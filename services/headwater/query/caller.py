"""Who asks, as the transport knows it: read once when the call comes, so that any thread may look at any time."""

from collections.abc import Callable, Mapping, Sequence

import grpc
import msgspec

from headwater.domain.grants import ALLOW_ALL, Grants
from headwater.domain.principal import ANONYMOUS


class Caller(msgspec.Struct, frozen=True):
    """Metadata, peer and verified certificate of one call."""

    metadata: tuple[tuple[str, str | bytes], ...] = ()
    address: str = ""  # ipv4:127.0.0.1:40000, as gRPC writes it
    transport: Mapping[str, Sequence[bytes]] = {}

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        return self.metadata

    def auth_context(self) -> Mapping[str, Sequence[bytes]]:
        return self.transport

    def peer(self) -> str:
        return self.address

    def counted_as(self, grants: Grants) -> str:
        """Whose share of what is limited by caller: a known one's own, else the machine's."""
        known = grants.principal not in ("", ANONYMOUS.subject)
        return grants.principal if known else self.address.rpartition(":")[0]


Authorise = Callable[[Caller], Grants]  # raises QueryError; asked again during a call


def allow_all(_caller: Caller) -> Grants:
    """Where the transport alone decides who may ask."""
    return ALLOW_ALL


def caller_of(context: grpc.aio.ServicerContext) -> Caller:
    metadata = tuple((str(key), value) for key, value in context.invocation_metadata() or ())
    return Caller(metadata, context.peer(), {key: tuple(values) for key, values in context.auth_context().items()})
