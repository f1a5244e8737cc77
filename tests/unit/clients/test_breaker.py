"""The breaker's states over a clock."""

from headwater.clients.breaker import Breaker, BreakerState


def opened() -> Breaker:
    breaker = Breaker(failures=3, cool_down_s=5)
    for now in (1.0, 2.0, 3.0):
        assert breaker.admit(now)
        breaker.failed(now)
    return breaker


def test_failures_in_a_row_open_it() -> None:
    breaker = opened()
    assert breaker.state is BreakerState.OPEN
    assert not breaker.admit(7.9)
    assert breaker.retry_in_s(7.0) == 1.0


def test_a_success_between_failures_keeps_it_closed() -> None:
    breaker = Breaker(failures=2)
    for now in range(10):
        breaker.failed(float(now))
        breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED


def test_one_probe_goes_after_the_cool_down_and_closes_it() -> None:
    breaker = opened()
    assert breaker.admit(8.0)
    assert breaker.state is BreakerState.HALF_OPEN
    assert not breaker.admit(8.1)
    breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED
    assert breaker.admit(8.2)


def test_a_failed_probe_opens_it_again() -> None:
    breaker = opened()
    assert breaker.admit(8.0)
    breaker.failed(9.0)
    assert breaker.state is BreakerState.OPEN
    assert not breaker.admit(13.9)
    assert breaker.admit(14.0)


def test_a_probe_that_never_ends_does_not_block_for_ever() -> None:
    breaker = opened()
    assert breaker.admit(8.0)
    assert not breaker.admit(12.9)
    assert breaker.admit(13.0)
