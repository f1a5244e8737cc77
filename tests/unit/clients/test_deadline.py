"""Calls end at their deadline, and what is over the bound is refused at once."""

import threading

import pytest

from headwater.clients.deadline import BusyError, DeadlineCaller, DeadlineError


def test_an_answer_in_time_is_given_and_errors_pass() -> None:
    caller = DeadlineCaller(1, "test")
    assert caller.call(lambda: 7, 5) == 7
    with pytest.raises(ZeroDivisionError):
        caller.call(lambda: 1 // 0, 5)
    assert caller.call(lambda: 8, 5) == 8


def test_f6_no_answer_ends_at_the_deadline() -> None:
    gate = threading.Event()
    caller = DeadlineCaller(2, "test")
    with pytest.raises(DeadlineError, match=r"no answer within 0\.01 s"):
        caller.call(gate.wait, 0.01)
    assert caller.call(lambda: 7, 5) == 7
    gate.set()


def test_f7_given_up_calls_keep_their_place_until_they_end() -> None:
    gate, ended = threading.Event(), threading.Event()
    caller = DeadlineCaller(1, "test")

    def slow() -> None:
        gate.wait(30)

    with pytest.raises(DeadlineError):
        caller.call(slow, 0.01)
    with pytest.raises(BusyError, match="1 requests are under way"):
        caller.call(lambda: 7, 5)
    gate.set()
    while not ended.wait(0.01):
        try:
            assert caller.call(lambda: 7, 5) == 7
        except BusyError:
            continue
        ended.set()
