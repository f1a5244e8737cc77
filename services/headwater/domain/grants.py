"""What a caller may read: whole repositories, and paths within them. Anything unknown is denied."""

from collections.abc import Container
from typing import Protocol

import msgspec

from headwater.domain.credential import Credential
from headwater.domain.view import ViewKey


class PathRule(Protocol):
    """Says whether one path of one repository may be read. Fast: it is asked for every candidate.

    One object always gives the same answers: what was learnt under it is kept. A changed policy is a new object.
    """

    def __call__(self, repo: str, path: str) -> bool: ...


class Grants(msgspec.Struct, frozen=True):
    """Applied before retrieval (repositories) and before anything is counted, ranked or suggested (paths)."""

    repos: Container[str] | None = None  # None: every repository
    path_rule: PathRule | None = None  # None: every path of the allowed repositories
    principal: str = ""  # who asks; page tokens are bound to it
    whole: Container[str] = frozenset()  # repositories of which every path may be read: the rule is not asked
    admin: bool = False  # may also run operations
    credential: Credential | None = None  # at the git host, for text that the index doesn't keep

    @property
    def remembered(self) -> "Grants":
        """The same without the credential's token: what may be kept beyond the question."""
        if self.credential is None:
            return self
        return msgspec.structs.replace(self, credential=self.credential.remembered)

    @property
    def is_restricted(self) -> bool:
        """Whether there may be anything that the caller may not read."""
        return self.repos is not None or self.path_rule is not None

    def allows_repo(self, repo: str) -> bool:
        return self.repos is None or repo in self.repos

    def allows_view(self, view: ViewKey) -> bool:
        """A private view exists for its owner alone."""
        return self.allows_repo(view.repo) and view.owner in (None, self.principal)

    def rule_for(self, repo: str) -> PathRule | None:
        """What decides about the paths of an allowed repository; None: all may be read."""
        return None if self.path_rule is None or repo in self.whole else self.path_rule

    def allows(self, repo: str, path: str) -> bool:
        if not self.allows_repo(repo):
            return False
        rule = self.rule_for(repo)
        return rule is None or rule(repo, path)


ALLOW_ALL = Grants()
