"""When what is late has become what is lost."""

from itertools import pairwise

from headwater.domain.view import ViewKey
from headwater.reconciler.findings import MOST_PATHS, STEPS, Finding, Patience

VIEW = ViewKey("r", "refs/heads/main")
LATE = Finding(view=VIEW, head="a" * 40, reason="unfinished", paths=("x", "y"))


def rounds(patience: Patience, finding: Finding, first: float, count: int) -> list[bool]:
    """Heartbeats pass every stage between one look and the next."""
    return [patience.is_lost(finding, at, at - 0.5) for at in (first + n for n in range(count))]


def test_it_is_lost_when_heartbeats_have_passed_every_stage_in_turn() -> None:
    assert rounds(Patience(), LATE, 100, STEPS + 1) == [False] * STEPS + [True]


def test_while_a_stage_answers_no_heartbeat_nothing_is_lost() -> None:
    patience = Patience()
    assert not any(patience.is_lost(LATE, at, 99.0) for at in range(100, 200))


def test_progress_starts_the_wait_anew() -> None:
    patience = Patience()
    rounds(patience, LATE, 100, STEPS)
    less = Finding(view=VIEW, head=LATE.head, reason="unfinished", paths=("y",))
    assert rounds(patience, less, 110, STEPS) == [False] * STEPS


def test_a_repair_that_does_not_help_is_repeated_ever_more_rarely() -> None:
    patience, sent, now = Patience(longest_s=200.0), [], 100.0
    for _ in range(1_000):
        if patience.is_lost(LATE, now, now - 0.5):
            patience.repaired(LATE, now)
            sent.append(now)
        now += 1
    pauses = [later - earlier for earlier, later in pairwise(sent)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 200


def test_a_repair_names_exactly_the_differing_paths_or_leaves_them_to_the_differ() -> None:
    event = LATE.repair(7.0)
    assert (event.cause, event.ref, event.after, event.paths) == ("repair", VIEW.ref, LATE.head, ("x", "y"))
    many = Finding(view=VIEW, head="", reason="behind", paths=tuple(map(str, range(MOST_PATHS + 1))))
    assert many.repair(7.0).paths == ()
