"""The rules of a rollout, step by step, without a store."""

import pytest

from headwater.domain import edition as steps
from headwater.domain.edition import Change, Editions, Gate, Phase, RolloutRefusedError
from headwater.domain.version import PipelineVersion

OLD, NEW, OTHER = (PipelineVersion(name, 8, "1") for name in ("old", "new", "other"))
PASSED, FAILED = (Gate(passed=p, at=5.0, questions=2, falls=() if p else ("nl mrr@10 fell",)) for p in (True, False))


def after(*changes: Change) -> Editions:
    editions = Editions()
    for change in (steps.adopt(OLD, {}, 1.0), *changes):
        editions = change(editions)
    return editions


BUILDING = (steps.start(NEW, {}, 2.0), steps.laid_out(2))
CUT_OVER = (*BUILDING, steps.gated(2, PASSED), steps.cut_over("", 6.0))
ROLLED_BACK = (*CUT_OVER, steps.roll_back(7.0))


def phases(editions: Editions) -> dict[int, Phase]:
    return {e.number: e.phase for e in editions.rows}


def test_an_index_without_a_row_becomes_the_first_edition_once() -> None:
    once = after()
    assert phases(once) == {1: Phase.LIVE}
    assert steps.adopt(NEW, {}, 9.0)(once) == once


def test_a_shadow_takes_writes_once_it_is_laid_out() -> None:
    assert [e.number for e in after(BUILDING[0]).written] == [1]
    assert [e.number for e in after(*BUILDING).written] == [1, 2]


def test_a_start_is_gone_on_with_but_not_changed() -> None:
    assert after(BUILDING[0], steps.start(NEW, {}, 3.0)) == after(BUILDING[0])
    assert after(*BUILDING, steps.start(NEW, {}, 3.0)) == after(*BUILDING)
    with pytest.raises(RolloutRefusedError, match=r"index 2 \(1/new/8\) is building: 'headwater rollout release'"):
        after(*BUILDING, steps.start(OTHER, {}, 3.0))
    with pytest.raises(RolloutRefusedError, match=r"index 1 \(1/old/8\) is live already"):
        after(steps.start(OLD, {}, 3.0))


def test_nothing_is_started_beside_nothing() -> None:
    with pytest.raises(RolloutRefusedError, match="nothing is indexed yet"):
        steps.start(NEW, {}, 1.0)(Editions())


@pytest.mark.parametrize(("gates", "found"), [((), "has not been run"), ((FAILED,), "failed: nl mrr@10 fell")])
def test_without_a_passed_gate_only_a_reason_cuts_over(gates: tuple[Gate, ...], found: str) -> None:
    shadow = (*BUILDING, *(steps.gated(2, gate) for gate in gates))
    with pytest.raises(RolloutRefusedError, match=found):
        after(*shadow, steps.cut_over("", 6.0))
    forced = after(*shadow, steps.cut_over("the old model's licence ended", 6.0))
    assert phases(forced) == {1: Phase.RETAINED, 2: Phase.LIVE}
    assert forced.rows[1].notes[-1].reason == "the old model's licence ended"


def test_both_take_writes_until_one_is_released() -> None:
    assert [e.number for e in after(*CUT_OVER).written] == [2, 1]
    assert [e.number for e in after(*ROLLED_BACK).written] == [1, 2]
    assert [e.number for e in after(*CUT_OVER, steps.release(8.0)).written] == [2]
    gone = after(*CUT_OVER, steps.release(8.0), steps.released(1))
    assert phases(gone) == {1: Phase.RELEASED, 2: Phase.LIVE}
    assert gone.other is None


def test_after_going_back_the_shadow_is_gated_anew() -> None:
    back = after(*ROLLED_BACK)
    assert phases(back) == {1: Phase.LIVE, 2: Phase.BUILDING}
    with pytest.raises(RolloutRefusedError, match="has not been run"):
        steps.cut_over("", 9.0)(back)


def test_numbers_are_never_given_twice() -> None:
    again = after(*BUILDING, steps.release(8.0), steps.released(2), steps.start(NEW, {}, 9.0))
    assert phases(again) == {1: Phase.LIVE, 2: Phase.RELEASED, 3: Phase.STARTING}


@pytest.mark.parametrize(
    ("changes", "wrong", "found"),
    [
        ((), steps.cut_over("", 1.0), "no index is being built"),
        ((), steps.roll_back(1.0), "nothing to go back to"),
        ((), steps.release(1.0), "nothing to release"),
        (BUILDING, steps.roll_back(1.0), "nothing to go back to"),
        (CUT_OVER, steps.cut_over("x", 1.0), "which is retained"),
        (CUT_OVER, steps.gated(1, PASSED), "no index is being built"),
        ((*BUILDING, steps.release(1.0)), steps.laid_out(2), "released meanwhile"),
        ((*CUT_OVER, steps.release(1.0)), steps.roll_back(1.0), "nothing to go back to"),
    ],
)
def test_a_step_at_the_wrong_time_is_refused(changes: tuple[Change, ...], wrong: Change, found: str) -> None:
    with pytest.raises(RolloutRefusedError, match=found):
        wrong(after(*changes))
