"""How far the index is, and waiting until it holds a commit."""

import re
from collections.abc import Callable, Sequence

from headwater.domain.answer import ViewFreshness
from headwater.domain.query_error import DeadlinePassedError, InvalidQuestionError
from headwater.domain.view import Refusal, ViewKey, ViewState
from headwater.query.deadline import Deadline, cancelled

RECHECK_S = 1.0  # git may learn of a commit without any change of the index
_COMMIT = re.compile(r"[0-9a-f]{7,40}")

Contains = Callable[[str, str, str], bool]  # (repository, commit, other): whether `commit`'s history holds `other`


def equal_only(_repo: str, _commit: str, _other: str) -> bool:
    """Without git at hand, a view holds a commit only while it is that commit."""
    return False


class NotYetError(DeadlinePassedError):
    """What was chosen doesn't hold the commit yet; `views` were looked at."""

    def __init__(self, message: str, metadata: dict[str, str], views: tuple[ViewKey, ...]) -> None:
        super().__init__("COMMIT_NOT_SEARCHABLE", message, metadata)
        self.views = views


def check_commit(commit: str) -> str:
    """Lower case. Raises InvalidQuestionError."""
    lower = commit.strip().lower()
    if lower and not _COMMIT.fullmatch(lower):
        raise InvalidQuestionError("min_commit", f"'{commit[:60]}' is no commit id: give 7 to 40 hex digits")
    return lower


def holds(state: ViewState, commit: str, contains: Contains) -> bool:
    """Whether the published commit is `commit` or a descendant of it."""
    if not state.published:
        return False
    return state.commit.startswith(commit) or contains(state.view.repo, state.commit, commit)


def behind(states: Sequence[ViewState], commit: str, contains: Contains) -> list[ViewState]:
    """Those that don't hold `commit` yet; none without a commit."""
    return [s for s in states if not holds(s, commit, contains)] if commit else []


def wait_for(
    choose: Callable[[], Sequence[ViewState]],
    commit: str,
    deadline: Deadline,
    contains: Contains,
    pause: Callable[[float], object],
) -> Sequence[ViewState]:
    """The chosen views once each holds `commit`; `pause(seconds)` ends as soon as it is worth another look.

    Raises DeadlinePassedError with what they hold instead, CancelledError once nobody waits any more.
    """
    while True:
        states = choose()
        late = behind(states, commit, contains)
        if not late:
            return states
        if deadline.cancellation.cancelled:
            raise cancelled()
        if deadline.passed:
            raise too_late(late, commit)
        pause(min(RECHECK_S, deadline.remaining()))


def too_late(late: Sequence[ViewState], commit: str) -> NotYetError:
    said = "; ".join(
        f"{s.view.repo} {s.view.ref} is at {s.commit[:12] or 'no commit'}"
        + (f", {s.opened_commit[:12]} is being indexed" if s.opened != s.published else "")
        for s in late[:5]
    )
    message = f"commit {commit[:12]} was not searchable in time: {said}; wait longer, or check that it was pushed"
    metadata = {f"{s.view.repo}@{s.view.ref}": s.commit for s in late[:20]}
    return NotYetError(message, metadata, tuple(s.view for s in late))


def freshness(state: ViewState, is_default: bool, refusal: Refusal | None) -> ViewFreshness:
    return ViewFreshness(
        repo=state.view.repo,
        ref=state.view.ref,
        commit=state.commit,
        tree=state.tree,
        tree_proven=state.tree_proven,
        generation=state.published,
        opened_commit=state.opened_commit,
        vector_complete=state.vector_complete,
        pushed_at=state.pushed_at,
        published_at=state.published_at,
        default=is_default,
        refused=refusal.reason if refusal is not None else "",
    )
