"""What fits a token budget."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.query.context_plan import Piece, plan_context

_PIECES = st.lists(
    st.builds(
        Piece,
        st.tuples(st.just(0), st.sampled_from("abc"), st.integers(0, 5)),
        st.integers(1, 300),
        st.integers(0, 1),
    ),
    max_size=20,
)


@given(_PIECES, st.integers(1, 1000))
def test_the_budget_holds_and_each_place_comes_once(pieces: list[Piece], budget: int) -> None:
    plan = plan_context(pieces, budget)
    keys = [pieces[i].key for i in plan.chosen]
    assert plan.tokens == sum(pieces[i].tokens for i in plan.chosen) <= budget
    assert len(set(keys)) == len(keys)
    assert list(plan.chosen) == sorted(plan.chosen)
    assert plan.omitted == len({p.key for p in pieces}) - len(keys)


def test_callees_get_room_beside_hits() -> None:
    hits = [Piece((0, "a", i), 50, 0) for i in range(4)]
    callee = Piece((0, "b", 0), 30, 1)
    plan = plan_context([hits[0], callee, *hits[1:]], 150)
    assert plan.chosen == (0, 1, 2)
