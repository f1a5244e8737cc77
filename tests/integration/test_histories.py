"""Invariants 1 to 5: after any history, with crashes, repeats and reorders, the index equals a fresh one."""

import random
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.equality import REFS, check_equals_fresh
from support.git_repo import RepoBuilder
from support.histories import Step, histories
from support.rig import Rig, received

SETTINGS = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def apply(builder: RepoBuilder, step: Step, made: list[str]) -> None:
    """Do the step to git."""
    exists = step.ref in builder.repo.references
    if step.kind == "commit":
        made.append(builder.commit(step.tree, step.ref))
    elif step.kind == "back" and made:
        builder.point(step.ref, made[step.back % len(made)])
    elif step.kind == "delete" and exists:
        builder.delete(step.ref)


@given(histories, st.integers(0, 2**32))
@SETTINGS
def test_invariant_1_any_history_in_chaos_equals_a_fresh_index(history: list[Step], seed: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builder = RepoBuilder(folder / "r.git")
        (folder / "index").mkdir()
        (folder / "fresh").mkdir()
        rig = Rig(folder / "index", builder.path)
        made: list[str] = []
        dice = random.Random(seed)
        try:
            for step in history:
                apply(builder, step, made)
                if step.sync:
                    rig.run_in_chaos([received(step.ref)] * dice.randint(1, 3), dice)
            rig.run_in_chaos([received(ref) for ref in REFS], dice)
            check_equals_fresh(rig, builder.path, folder / "fresh")
        finally:
            rig.close()
