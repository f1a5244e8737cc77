"""Pure decisions of commit ingestion: which refs of a repository moved since they were last seen."""

import re
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase

from headwater.commit_ingest.webhook import Push
from headwater.domain.ref_name import HEAD, full_names
from headwater.domain.repository_name import canonical
from headwater.domain.view import ViewKey
from headwater.events import CommitReceived


def followed(refs: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """Those refs (full name to commit) that match a pattern: a full name, a short name, or a glob of either."""
    wanted = list(patterns)
    return {ref: commit for ref, commit in refs.items() if any(_matches(ref, p) for p in wanted)}


def with_head(patterns: Iterable[str], head: Callable[[], str | None]) -> list[str]:
    """The patterns, HEAD being the branch that it names in this repository."""
    return [(head() or pattern) if pattern in HEAD else pattern for pattern in patterns]


def moved(
    repo: str, current: Mapping[str, str], known: Mapping[str, str], now: float, cause: str
) -> list[CommitReceived]:
    """One event for each ref that differs between `current` and `known` (both full name to commit id).

    A ref that is only in `known` was deleted and has an empty `after`.
    """
    return [
        CommitReceived(repo=repo, ref=ref, before=known.get(ref, ""), after=commit, pushed_at=now, cause=cause)
        for ref, commit in sorted(current.items())
        if known.get(ref) != commit
    ] + [
        CommitReceived(repo=repo, ref=ref, before=known[ref], after="", pushed_at=now, cause=cause)
        for ref in sorted(known.keys() - current.keys())
    ]


def repository_name(folder: str, origin: str | None, taken: Mapping[str, str], location: str) -> str:
    """A unique, stable name: owner/name of the remote, else the folder's name; numbered when another has it.

    `taken` maps names to locations; a location that has a name keeps it.
    """
    for name, place in taken.items():
        if place == location:
            return name
    wanted = _remote_name(origin) or folder
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    return name


def repository_of(names: Iterable[str], repositories: Mapping[str, str]) -> str | None:
    """The configured repository that one of these spellings (owner/name, any clone URL) means.

    `repositories` maps names to locations. What isn't configured is nobody's.
    """
    wanted = {canonical(name) for name in names}
    for name, location in repositories.items():
        if {canonical(name), canonical(location)} & wanted:
            return name
    return None


def received(push: Push, repo: str, patterns: Iterable[str], now: float, cause: str) -> CommitReceived | None:
    """The event of a push to a ref that is followed; None for any other ref."""
    if not followed({push.ref: push.after}, patterns):
        return None
    return CommitReceived(repo=repo, ref=push.ref, before=push.before, after=push.after, pushed_at=now, cause=cause)


def known_heads(views: Iterable[tuple[ViewKey, str]], repo: str) -> dict[str, str]:
    """Full ref name to the newest commit taken in, for one repository; detached commits never move."""
    return {v.ref: commit for v, commit in views if v.repo == repo and v.ref.startswith("refs/")}


def _matches(ref: str, pattern: str) -> bool:
    return any(fnmatchcase(ref, full) for full in (pattern, *full_names(pattern)))


_USER = re.compile(r"^\S*?(?<!/)@(?=[\w\[])")  # of a URL, up to its @


def _remote_name(origin: str | None) -> str:
    """git@host:owner/name.git and https://host/owner/name both give owner/name; a local path gives nothing."""
    if origin is None or ("://" not in origin and "@" not in origin) or origin.startswith("file:"):
        return ""
    scheme, _, rest = origin.rpartition("://")
    place = re.split(r"[?#]", _USER.sub("", rest))[0]  # neither a user nor a query, which may hold a secret
    _host, _, path = place.partition("/" if scheme else ":")
    return "/".join(path.removesuffix("/").removesuffix(".git").split("/")[-2:])
