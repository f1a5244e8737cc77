"""What a repository may be called: its name, the end of its name, or any URL it is cloned from."""

import re
from collections.abc import Iterable

_URL = re.compile(r"[a-z][a-z0-9+.-]*://|[^/@-][^/@]*@[^/:-][^/:]*:")  # a leading "-" would be an option


def is_url(location: str) -> bool:
    """https://…, ssh://…, file://… or user@host:path; anything else is a path."""
    return _URL.match(location) is not None


def canonical(spelling: str) -> str:
    """https://user@Host/owner/name.git, git@host:owner/name and host/owner/name/ are one."""
    plain = spelling.split("://", 1)[-1].removesuffix("/").removesuffix(".git")
    plain = plain.split("@", 1)[-1] if "@" in plain.split("/", 1)[0] else plain
    return plain.replace(":", "/", 1).lower()


def called(names: Iterable[str], wanted: str) -> list[str]:
    """Those names that `wanted` may mean: only itself where it is one of them."""
    known = list(names)
    if wanted in known:
        return [wanted]
    said = canonical(wanted)
    return [name for name in known if _ends(canonical(name), said) or (is_url(wanted) and _ends(said, canonical(name)))]


def _ends(whole: str, end: str) -> bool:
    return whole == end or (bool(end) and whole.endswith(f"/{end}"))
