"""Who may read what, from a policy file: compiled once, decided fast. Whatever no grant allows is denied."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from headwater.domain.access_pattern import PatternError, compiled, name_source, normal, path_source
from headwater.domain.grants import Grants
from headwater.domain.principal import ANYONE, Principal

Subject = Annotated[str, msgspec.Meta(pattern=r"^(anyone|authenticated|(user|cert|group):.+)$")]
Glob = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
_EVERY_PATH = frozenset({"*", "**"})
_MAX_KNOWN = 200_000
_KEY = re.compile(r" - at `(?:key in )?\$(?P<path>[^`]*)`")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
At = tuple[str | int, ...]  # keys and positions from the top of the file


class PolicyError(Exception):
    """The policy file can't be used; the message says where and why."""

    def __init__(self, message: str, at: At = ()) -> None:
        super().__init__(f"{_spelt(at)}: {message}" if at else message)
        self.at = at


class Grant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lets subjects read paths of repositories. What any grant denies a subject, no other grant allows."""

    to: Annotated[tuple[Subject, ...], msgspec.Meta(min_length=1)]
    repositories: Annotated[tuple[Glob, ...], msgspec.Meta(min_length=1)]
    allow: tuple[Glob, ...] = ("**",)  # see docs/access.md: one that matches a folder covers all in it
    deny: tuple[Glob, ...] = ()


class PolicyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's shape; `groups` adds members to those that a token's issuer says."""

    version: Literal[1]
    grants: tuple[Grant, ...]
    groups: dict[str, tuple[Subject, ...]] = {}
    admins: tuple[Subject, ...] = ()


def parse_policy(tree: object) -> PolicyFile:
    """Raises PolicyError for whatever isn't plainly a policy: no rule may say less than it seems to."""
    try:
        file = msgspec.convert(tree, PolicyFile, strict=True)
    except msgspec.ValidationError as error:
        said = str(error)
        found = _KEY.search(said)
        said = said[: found.start()] if found else said
        at: At = tuple(k or int(n) for k, n in _STEP.findall(found["path"])) if found else ()
        raise PolicyError(f"the policy is not valid: {said[0].lower()}{said[1:]}", at) from error
    except UnicodeEncodeError as error:
        message = "an escape in the policy stands for half a character: write the character itself"
        raise PolicyError(message) from error
    for name, members in file.groups.items():
        _check_name(name, ("groups", name))
        if name.partition(":")[0] in ("user", "cert", "group"):
            raise PolicyError(f"groups are named without a kind: write '{name.partition(':')[2]}'", ("groups", name))
        _check_subjects(members, ("groups", name))
    _check_subjects(file.admins, ("admins",))
    for number, grant in enumerate(file.grants):
        _check_grant(grant, ("grants", number))
    return file


def doubts(file: PolicyFile) -> Iterator[str]:
    """What is valid and yet may not do what it was written for."""
    for number, grant in enumerate(file.grants):
        at = f"grants[{number}]"
        if "*" in grant.repositories:
            yield f"{at}.repositories: '*' stops at '/': write '**' for every repository"
        for field, texts in msgspec.structs.asdict(grant).items():
            yield from (f"{at}.{field}: '{t}' stands twice" for t in sorted(set(texts)) if texts.count(t) > 1)
        never = grant.allow if _EVERY_PATH & set(grant.deny) and grant.allow != ("**",) else ()
        yield from (
            f"{at}.allow: '{t}' is denied beside it"
            for t in never or sorted({*grant.allow} & {*grant.deny} - _EVERY_PATH)
        )
    used = {s for g in file.grants for s in g.to} | {s for m in file.groups.values() for s in m} | {*file.admins}
    yield from (f"groups: '{name}' is named nowhere" for name in file.groups if f"group:{name}" not in used)


def _check_grant(grant: Grant, at: At) -> None:
    _check_subjects(grant.to, (*at, "to"))
    for field, texts, source in (
        ("repositories", grant.repositories, name_source),
        ("allow", grant.allow, path_source),
        ("deny", grant.deny, path_source),
    ):
        for number, text in enumerate(texts):
            try:
                re.compile(source(text))
            except (PatternError, re.error) as error:
                raise PolicyError(f"'{_visible(text)}': {error}", (*at, field, number)) from error


def _check_subjects(subjects: tuple[str, ...], at: At) -> None:
    for number, subject in enumerate(subjects):
        kind, _, name = subject.partition(":")
        _check_name(name or kind, (*at, number))
        if name == "*" or ("*" in name and kind != "cert"):
            raise PolicyError("wildcards aren't read in names: write 'authenticated' or 'anyone'", (*at, number))


def _check_name(name: str, at: At) -> None:
    """Raises PolicyError for a name that no caller has."""
    if not name or name != name.strip() or any(unicodedata.category(c)[0] == "C" for c in name):
        raise PolicyError(f"'{_visible(name)}' has a blank at its end, or what can't be seen: take it away", at)


def _spelt(at: At) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).removeprefix(".")


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:80])


class Policy:
    """A policy in force. Callers to whom the same grants apply share one `Readable`."""

    def __init__(self, file: PolicyFile) -> None:
        self._file = file
        self._to = [frozenset(map(normal, grant.to)) for grant in file.grants]
        self._groups = {f"group:{normal(name)}": frozenset(map(normal, m)) for name, m in file.groups.items()}
        self._admins = frozenset(map(normal, file.admins))
        self._readables: dict[tuple[int, ...], Readable] = {}

    def grants(self, principal: Principal) -> Grants:
        subjects = self.subjects(principal)
        applying = tuple(i for i, to in enumerate(self._to) if not subjects.isdisjoint(to))
        if applying not in self._readables:
            self._readables[applying] = Readable(self._file.grants[i] for i in applying)
        readable = self._readables[applying]
        return Grants(
            repos=readable,
            path_rule=readable if readable.has_paths else None,
            principal=principal.subject,
            whole=readable.whole,
            admin=not subjects.isdisjoint(self._admins),
        )

    def subjects(self, principal: Principal) -> frozenset[str]:
        """Every name under which the policy may speak of the caller."""
        known = {"authenticated", normal(principal.subject)} if principal.is_known else set()
        names = frozenset(known | {ANYONE} | {f"group:{normal(g)}" for g in principal.groups})
        while more := {g for g, members in self._groups.items() if not names.isdisjoint(members)} - names:
            names |= more  # a group may have groups
        return names


class Readable:
    """What some grants let read: contains repositories, and as a path rule says which of their paths."""

    def __init__(self, grants: Iterable[Grant]) -> None:
        self._grants = [_Rules(g) for g in grants]
        self._repositories: dict[str, _Paths | None] = {}
        self._known: dict[tuple[str, str], bool] = {}
        self.has_paths = any(not rules.is_whole for rules in self._grants)
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
            self._repositories[repo] = _paths(self._grants, normal(repo))
        return self._repositories[repo]


class _Whole:
    """The repositories of a Readable of which every path may be read."""

    def __init__(self, readable: Readable) -> None:
        self._readable = readable

    def __contains__(self, repo: object) -> bool:
        paths = self._readable.paths(repo) if isinstance(repo, str) else None
        return paths is not None and paths.all


class _Rules:
    """A grant, compiled. What it allows goes by the case of letters; what it denies holds in any."""

    def __init__(self, grant: Grant) -> None:
        names = [name_source(name) for name in grant.repositories]
        self._allows, self._denies = compiled(names), compiled(names, any_case=True)
        self._grant = grant
        self.is_whole = not grant.deny and not _EVERY_PATH.isdisjoint(grant.allow)

    def allow(self, repo: str) -> tuple[str, ...]:
        return self._grant.allow if self._allows.fullmatch(repo) else ()

    def deny(self, repo: str) -> tuple[str, ...]:
        return self._grant.deny if self._denies.fullmatch(repo) else ()


class _Paths(msgspec.Struct, frozen=True):
    """The paths of one repository; None: no pattern needs to be asked."""

    allow: "re.Pattern[str] | None"
    deny: "re.Pattern[str] | None"

    @property
    def all(self) -> bool:
        return self.allow is None and self.deny is None

    def allows(self, path: str) -> bool:
        path = normal(path)
        if self.deny is not None and self.deny.fullmatch(path):
            return False
        return self.allow is None or self.allow.fullmatch(path) is not None


def _paths(grants: list[_Rules], repo: str) -> _Paths | None:
    allow = {glob for rules in grants for glob in rules.allow(repo)}
    deny = {glob for rules in grants for glob in rules.deny(repo)}
    if not allow or _EVERY_PATH & deny:
        return None
    return _Paths(
        None if _EVERY_PATH & allow else compiled(map(path_source, sorted(allow))),
        compiled(map(path_source, sorted(deny)), any_case=True) if deny else None,
    )
