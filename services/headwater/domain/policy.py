"""Who may read what, from a policy file: compiled once, decided fast. Whatever no grant allows is denied."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from headwater.domain.grants import Grants
from headwater.domain.principal import ANYONE, Principal
from headwater.domain.wildmatch import wildmatch_regex

Subject = Annotated[str, msgspec.Meta(pattern=r"^(anyone|authenticated|(user|cert|group):.+)$")]
Glob = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
_EVERY_PATH = frozenset({"*", "**"})
_MAX_KNOWN = 200_000


class PolicyError(Exception):
    """The policy file can't be used; the message says where and why."""


class Grant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lets subjects read paths of repositories. What any grant denies a subject, no other grant allows."""

    to: Annotated[tuple[Subject, ...], msgspec.Meta(min_length=1)]
    repositories: Annotated[tuple[Glob, ...], msgspec.Meta(min_length=1)]
    allow: tuple[Glob, ...] = ("**",)  # path patterns as in .gitignore: one that matches a folder covers all in it
    deny: tuple[Glob, ...] = ()


class PolicyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's shape; `groups` adds members to those that a token's issuer says."""

    version: Literal[1]
    grants: tuple[Grant, ...]
    groups: dict[str, tuple[Subject, ...]] = {}
    admins: tuple[Subject, ...] = ()


def parse_policy(tree: object) -> PolicyFile:
    """Raises PolicyError."""
    try:
        return msgspec.convert(tree, PolicyFile, strict=True)
    except msgspec.ValidationError as error:
        said = str(error)
        raise PolicyError(f"the policy is not valid: {said[0].lower()}{said[1:]}") from error


class Policy:
    """A policy in force. Callers to whom the same grants apply share one `Readable`."""

    def __init__(self, file: PolicyFile) -> None:
        self._file = file
        self._readables: dict[tuple[int, ...], Readable] = {}

    def grants(self, principal: Principal) -> Grants:
        subjects = self.subjects(principal)
        applying = tuple(i for i, grant in enumerate(self._file.grants) if not subjects.isdisjoint(grant.to))
        if applying not in self._readables:
            self._readables[applying] = Readable(self._file.grants[i] for i in applying)
        readable = self._readables[applying]
        return Grants(
            repos=readable,
            path_rule=readable if readable.has_paths else None,
            principal=principal.subject,
            whole=readable.whole,
            admin=not subjects.isdisjoint(self._file.admins),
        )

    def subjects(self, principal: Principal) -> frozenset[str]:
        """Every name under which the policy may speak of the caller."""
        known = {"authenticated", principal.subject} if principal.is_known else set()
        direct = frozenset(known | {ANYONE} | {f"group:{g}" for g in principal.groups})
        named = {f"group:{name}" for name, members in self._file.groups.items() if not direct.isdisjoint(members)}
        return direct | named


class Readable:
    """What some grants let read: contains repositories, and as a path rule says which of their paths."""

    def __init__(self, grants: Iterable[Grant]) -> None:
        self._grants = [(_compiled(g.repositories, exact=True), g) for g in grants]
        self._repositories: dict[str, _Paths | None] = {}
        self._known: dict[tuple[str, str], bool] = {}
        self.has_paths = any(g.deny or not _EVERY_PATH & set(g.allow) for _, g in self._grants)
        self.whole = _Whole(self)

    def __contains__(self, repo: object) -> bool:
        return isinstance(repo, str) and self.paths(repo) is not None

    def __call__(self, repo: str, path: str) -> bool:
        key = (repo, path)
        known = self._known.get(key)
        if known is None:
            paths = self.paths(repo)
            known = paths is not None and paths.allows(path)
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known

    def paths(self, repo: str) -> "_Paths | None":
        """None: nothing of it may be read."""
        if repo not in self._repositories:
            applying = [g for names, g in self._grants if names.fullmatch(repo.encode("utf-8", "surrogatepass"))]
            self._repositories[repo] = _paths(applying)
        return self._repositories[repo]


class _Whole:
    """The repositories of a Readable of which every path may be read."""

    def __init__(self, readable: Readable) -> None:
        self._readable = readable

    def __contains__(self, repo: object) -> bool:
        paths = self._readable.paths(repo) if isinstance(repo, str) else None
        return paths is not None and paths.all


class _Paths(msgspec.Struct, frozen=True):
    """The paths of one repository; None: no pattern needs to be asked."""

    allow: "re.Pattern[bytes] | None"
    deny: "re.Pattern[bytes] | None"

    @property
    def all(self) -> bool:
        return self.allow is None and self.deny is None

    def allows(self, path: str) -> bool:
        raw = path.encode("utf-8", "surrogatepass")
        if self.deny is not None and self.deny.fullmatch(raw):
            return False
        return self.allow is None or self.allow.fullmatch(raw) is not None


def _paths(grants: list[Grant]) -> _Paths | None:
    allow = {glob for g in grants for glob in g.allow}
    deny = {glob for g in grants for glob in g.deny}
    if not allow or _EVERY_PATH & deny:
        return None
    return _Paths(None if _EVERY_PATH & allow else _any_of(allow), _any_of(deny) if deny else None)


def _any_of(globs: set[str]) -> "re.Pattern[bytes]":
    return _compiled(tuple(sorted(globs)))


@lru_cache(maxsize=4096)
def _compiled(globs: tuple[str, ...], exact: bool = False) -> "re.Pattern[bytes]":
    """Matches whole names, or (not `exact`) paths and all below them."""
    sources = [_name(g.encode()) if exact else _path(g.encode()) for g in globs]
    return re.compile(b"|".join(sources), re.DOTALL)


def _name(glob: bytes) -> bytes:
    return b".*" if glob in (b"*", b"**") else wildmatch_regex(glob)


def _path(glob: bytes) -> bytes:
    folder = glob.endswith(b"/")
    body = glob[:-1] if folder else glob
    anywhere = b"" if b"/" in body else b"(?:.*/)?"
    return anywhere + wildmatch_regex(body.removeprefix(b"/")) + (b"/.*" if folder else b"(?:/.*)?")
