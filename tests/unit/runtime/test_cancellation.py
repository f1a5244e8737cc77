"""Whoever works for a caller hears that the caller is gone."""

import threading

from headwater.query.deadline import Deadline
from headwater.runtime.cancellation import Cancellation, cancelled_by, current_cancellation


def test_s4_it_wakes_who_listens_and_who_comes_late() -> None:
    cancellation, woken = Cancellation(), threading.Event()
    with cancellation.told(woken.set):
        cancellation.cancel()
        assert woken.is_set()
    late = threading.Event()
    with cancellation.told(late.set):
        assert late.is_set()


def test_s4_deadlines_made_inside_pass_with_it() -> None:
    cancellation = Cancellation()
    with cancelled_by(cancellation):
        deadline = Deadline(60)
    other = Deadline(60)
    cancellation.cancel()
    assert deadline.passed
    assert not other.passed
    assert not current_cancellation().cancelled
