"""When one edition shows all that another one shows."""

import pytest

from headwater.domain.view import ViewKey, ViewState
from headwater.rollout.coverage import behind, is_covered

MAIN = ViewKey("r", "refs/heads/main")


def state(commit: str, pushed_at: float, published: int = 1, vectors: bool = True, view: ViewKey = MAIN) -> ViewState:
    return ViewState(
        view=view,
        opened=1,
        opened_commit=commit,
        opened_tree="",
        published=published,
        commit=commit if published else "",
        tree="",
        tree_proven=True,
        pushed_at=pushed_at,
        published_at=pushed_at,
        vector_complete=vectors,
    )


@pytest.mark.parametrize(
    ("live", "other", "covered"),
    [
        (state("a", 5), None, False),
        (state("a", 5, published=0), None, True),
        (state("a", 5), state("a", 3), True),
        (state("a", 5), state("b", 5), True),
        (state("a", 5), state("b", 4), False),
        (state("a", 5), state("a", 5, published=0), False),
        (state("a", 5), state("a", 5, vectors=False), False),
        (state("a", 5, vectors=False), state("a", 5, vectors=False), True),
    ],
)
def test_a_view_is_covered_by_the_same_or_a_later_push(live: ViewState, other: ViewState | None, covered: bool) -> None:
    assert is_covered(live, other) is covered


def test_views_are_compared_by_name() -> None:
    topic = state("a", 5, view=ViewKey("r", "refs/heads/topic"))
    assert behind([state("a", 5), topic], [state("a", 5), state("a", 5, view=ViewKey("q", "refs/heads/topic"))]) == [
        topic
    ]
