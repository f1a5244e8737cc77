"""What a request must look like before anything is done about it: one meaning, small, and meant for this server."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

import msgspec

from headwater.domain.address import is_loopback
from headwater.web.response import RefusedError

Headers = Sequence[tuple[str, str]]  # names in lower case
ONCE = ("authorization", "x-git-token", "host", "content-length", "transfer-encoding", "origin", "sec-fetch-site")
MOST_PARAMETERS = 20
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
_TORN = re.compile(r"%(?![0-9A-Fa-f]{2})")
_IP = re.compile(r"\[[0-9A-Fa-f:.]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3}")


class Names(msgspec.Struct, frozen=True):
    """What the server goes by beside localhost: `known` names (None: any) and, where others reach it, IP addresses."""

    known: tuple[str, ...] | None = ()
    reachable: bool = False

    def hold(self, name: str) -> bool:
        is_ip = _IP.fullmatch(name) is not None  # an address is no name that another site could have pointed here
        return self.known is None or name in self.known or (self.reachable and is_ip)

    @property
    def said(self) -> str:
        return "localhost" if not self.reachable else "its address and the names in HEADWATER_ACCESS_WEB_HOSTS"


class Target(msgspec.Struct, frozen=True):
    """What is asked for: a path, and parameters that are each given once."""

    path: str
    parameters: Mapping[str, str]


def check_headers(headers: Headers, names: Names) -> None:
    """Raises RefusedError."""
    counts = Counter(name for name, _ in headers)
    if twice := [name for name in ONCE if counts[name] > 1]:
        raise RefusedError(400, "BAD_HEADER", f"{twice[0]} is given twice: send it once")
    given = dict(headers)
    if any(not 0x20 <= ord(char) < 0x7F and char != "\t" for name, value in headers for char in name + value):
        raise RefusedError(400, "BAD_HEADER", "a header holds characters beyond ASCII: leave them out")
    if given.get("content-length", "0") != "0" or "transfer-encoding" in given:
        raise RefusedError(400, "NO_BODY", "questions have no body: send the parameters in the URL")
    _check_host(given.get("host", ""), names)


def check_same_site(headers: Headers) -> None:
    """Whether a page of this server asks, or no page at all. Raises RefusedError."""
    given = dict(headers)
    own = {f"http://{given.get('host', '')}".lower(), f"https://{given.get('host', '')}".lower()}
    is_own = given.get("origin", "").lower() in own or "origin" not in given
    if not is_own or given.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError(403, "CROSS_SITE", "other sites may not ask")


def read_target(target: str) -> Target:
    """Raises RefusedError for a URL that isn't this server's, and for one that could be read in two ways."""
    if not target.startswith("/") or any(not 0x20 < ord(char) < 0x7F for char in target):
        raise RefusedError(400, "BAD_URL", "the URL is not a path with printable ASCII characters: encode the rest")
    if _TORN.search(target):
        raise RefusedError(400, "BAD_URL", "the URL has % without two hex digits: encode % as %25")
    try:
        url = urlsplit(target)
        pairs = parse_qsl(url.query, True, errors="strict", max_num_fields=MOST_PARAMETERS)
    except ValueError as error:
        reason = "is no UTF-8" if isinstance(error, UnicodeDecodeError) else "can't be read"
        raise RefusedError(400, "BAD_URL", f"the URL {reason}: encode each parameter once, as UTF-8") from None
    if twice := [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]:
        raise RefusedError(400, "BAD_URL", f"the parameter {twice[0][:40]!r} is given twice: give it once")
    return Target(url.path, dict(pairs))


def _check_host(host: str, names: Names) -> None:
    """A name of another site that resolves to this machine is an attack (DNS rebinding). Raises RefusedError."""
    found = _HOST.fullmatch(host)
    if found is None:
        raise RefusedError(400, "BAD_HOST", "the Host header names no host: send one")
    name = found["name"].lower()
    if is_loopback(name.strip("[]")) or name.endswith(".localhost") or names.hold(name):
        return
    raise RefusedError(421, "MISDIRECTED", f"this server answers to {names.said} only")
