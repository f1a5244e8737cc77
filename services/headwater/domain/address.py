"""An address to listen on or to ask, HOST:PORT as people write it."""

import ipaddress
import re

import msgspec

_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?")
MOST_PORTS = 65_535


class AddressError(ValueError):
    """The text is no address; the message says what to give."""


class Address(msgspec.Struct, frozen=True):
    """`host` is without brackets; port 0 takes a free one."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Raises AddressError."""
    host, colon, port = text.rpartition(":")
    if not colon or not host:
        raise _no_address(text, "it needs a host and a port")
    if not (port.isascii() and port.isdecimal() and len(port) <= len(str(MOST_PORTS)) and int(port) <= MOST_PORTS):
        raise _no_address(text, f"its port is none of 0 to {MOST_PORTS}")
    if host[0] == "[" and host[-1] == "]":
        if not _is_ipv6(host[1:-1]):
            raise _no_address(text, "no IPv6 address is between its brackets")
        return Address(host[1:-1], int(port))
    if ":" in host:
        raise _no_address(text, "an IPv6 address goes in brackets")
    if not _HOST.fullmatch(host):
        raise _no_address(text, "its host is no name and no IP address")
    return Address(host, int(port))


def is_loopback(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_ipv6(host: str) -> bool:
    try:
        return isinstance(ipaddress.ip_address(host), ipaddress.IPv6Address)
    except ValueError:
        return False


def _no_address(text: str, why: str) -> AddressError:
    return AddressError(f"{text[:100]!r} is no address: {why}; give HOST:PORT, such as 127.0.0.1:7070 or [::1]:7070")
