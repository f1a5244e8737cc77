"""Waiting for a commit."""

import pytest

from headwater.domain.query_error import CancelledError, DeadlinePassedError, InvalidQuestionError
from headwater.domain.view import ViewKey, ViewState
from headwater.query.deadline import Deadline
from headwater.query.freshness import check_commit, equal_only, wait_for
from headwater.runtime.cancellation import Cancellation

OLD, NEW = "a" * 40, "b" * 40


def _state(commit: str, opened: str = "") -> ViewState:
    return ViewState(
        view=ViewKey("shop", "refs/heads/main"),
        opened=2 if opened else 1,
        opened_commit=opened or commit,
        opened_tree="",
        published=1,
        commit=commit,
        tree="",
        tree_proven=True,
        pushed_at=0.0,
        published_at=0.0,
        vector_complete=True,
    )


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


def test_it_waits_until_the_commit_is_published() -> None:
    clock = Clock()
    states = iter([_state(OLD), _state(OLD, NEW), _state(NEW)])
    found = wait_for(lambda: [next(states)], NEW[:10], Deadline(5, clock), equal_only, clock.pause)
    assert found[0].commit == NEW


def test_it_says_what_the_view_holds_when_time_is_up() -> None:
    clock = Clock()
    with pytest.raises(DeadlinePassedError, match=f"is at {OLD[:12]}, {NEW[:12]} is being indexed") as caught:
        wait_for(lambda: [_state(OLD, NEW)], NEW, Deadline(0.1, clock), equal_only, clock.pause)
    assert caught.value.metadata == {"shop@refs/heads/main": OLD}


def _descends(_repo: str, commit: str, other: str) -> bool:
    return (commit, other) == (NEW, OLD)


def test_a_descendant_holds_the_commit() -> None:
    wait_for(lambda: [_state(NEW)], OLD, Deadline(0.1), _descends, Clock().pause)


def test_s4_a_wait_ends_as_soon_as_nobody_waits_any_more() -> None:
    cancellation = Cancellation()
    deadline = Deadline(60, Clock(), cancellation)
    with pytest.raises(CancelledError):
        wait_for(lambda: [_state(OLD)], NEW, deadline, equal_only, lambda _seconds: cancellation.cancel())


@pytest.mark.parametrize("text", ["main", "123", "g" * 40, "a" * 41])
def test_what_is_no_commit(text: str) -> None:
    with pytest.raises(InvalidQuestionError, match="no commit id"):
        check_commit(text)
