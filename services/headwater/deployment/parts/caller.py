"""Who the canary and `helm test` are to the query service, which they ask as any caller does."""

from pathlib import Path
from typing import Annotated

import grpc
import msgspec

from headwater.domain.address import AddressError, parse_address
from headwater.rpc.asking import RemoteAsker
from headwater.settings import SettingsError

Meta = msgspec.Meta


class CallerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """HEADWATER_CALLER_…; files are read again at each connection, so that what is short-lived may be renewed."""

    tls: Annotated[bool, Meta(description="speak TLS to the query service")] = False
    ca: Annotated[str, Meta(description="PEM file to trust; empty: the system's")] = ""
    token_file: Annotated[str, Meta(description="file with the bearer token to ask with; empty: none")] = ""
    certificate: Annotated[str, Meta(description="certificate chain to show, PEM; with tls and key")] = ""
    key: Annotated[str, Meta(description="its private key, PEM")] = ""


def connect(address: str, caller: CallerSettings) -> RemoteAsker:
    """A new connection, closed with its context. Raises SettingsError for no address and for unreadable files."""
    try:
        parse_address(address)
    except AddressError as error:
        raise SettingsError(str(error)) from error
    try:
        token = Path(caller.token_file).read_text("utf-8").strip() if caller.token_file else ""
        credentials = _credentials(caller) if caller.tls else None
    except OSError as error:
        raise SettingsError(f"HEADWATER_CALLER_…: {error}") from error
    return RemoteAsker(address, (("authorization", f"Bearer {token}"),) if token else (), credentials)


def _credentials(caller: CallerSettings) -> grpc.ChannelCredentials:
    roots, key, chain = (
        Path(file).read_bytes() if file else None for file in (caller.ca, caller.key, caller.certificate)
    )
    return grpc.ssl_channel_credentials(roots, key, chain)
