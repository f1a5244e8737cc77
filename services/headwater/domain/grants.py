"""What a caller may read: whole repositories, and paths within them. Anything unknown is denied."""

from typing import Protocol

import msgspec


class PathRule(Protocol):
    """Says whether one path of one repository may be read. Fast: it is asked for every candidate.

    One object always gives the same answers: what was learnt under it is kept. A changed policy is a new object.
    """

    def __call__(self, repo: str, path: str) -> bool: ...


class Grants(msgspec.Struct, frozen=True):
    """Applied before retrieval (repositories) and before anything is counted, ranked or suggested (paths)."""

    repos: frozenset[str] | None = None  # None: every repository
    path_rule: PathRule | None = None  # None: every path of the allowed repositories
    principal: str = ""  # who asks; page tokens are bound to it

    def allows_repo(self, repo: str) -> bool:
        return self.repos is None or repo in self.repos

    def allows(self, repo: str, path: str) -> bool:
        return self.allows_repo(repo) and (self.path_rule is None or self.path_rule(repo, path))


ALLOW_ALL = Grants()
