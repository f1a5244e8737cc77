"""What a received commit asks for depends on the ref and the catalog alone."""

import msgspec
import pytest

from headwater.domain.view import ViewKey, ViewState
from headwater.events import CommitReceived, Lane
from headwater.merkle_differ.process import Decision, Delete, Open, Resume, decide, lane_for, latest_by_view

STATE = ViewState(
    view=ViewKey("r", "refs/heads/main"), opened=3, opened_commit="c3", opened_tree="t3", published=2, commit="c2",
    tree="t2", tree_proven=True, pushed_at=0, published_at=0, vector_complete=True,
)  # fmt: skip
DELETED = msgspec.structs.replace(STATE, deleted=True)


def received(after: str, ref: str = "refs/heads/main", paths: tuple[str, ...] = ()) -> CommitReceived:
    return CommitReceived(repo="r", ref=ref, after=after, pushed_at=0, cause="poll", paths=paths)


@pytest.mark.parametrize(
    ("state", "head", "decision"),
    [
        (None, "c1", Open(0)),
        (STATE, "c4", Open(3)),
        (STATE, "c2", Open(3)),
        (STATE, "c3", Resume(3)),
        (STATE, None, Delete()),
        (None, None, None),
        (DELETED, None, None),
        (DELETED, "c3", Open(3)),
    ],
)
def test_decide(state: ViewState | None, head: str | None, decision: Decision) -> None:
    assert decide(state, head) == decision


def test_b10_superseded_heads_of_a_ref_coalesce_to_the_last() -> None:
    batch = [received("1"), received("9", "refs/heads/x"), received("2"), received("3")]
    assert [(e.ref, e.after) for e in latest_by_view(batch)] == [("refs/heads/x", "9"), ("refs/heads/main", "3")]


def test_repairs_that_coalesce_keep_all_their_paths() -> None:
    batch = [received("1", paths=("a", "b")), received("1", paths=("b", "c")), received("1")]
    assert latest_by_view(batch)[0].paths == ("a", "b", "c")


def test_large_changes_travel_in_the_bulk_lane() -> None:
    assert lane_for(3, first=False, bulk_from=500) is Lane.LIVE
    assert lane_for(500, first=False, bulk_from=500) is Lane.BULK
    assert lane_for(3, first=True, bulk_from=500) is Lane.BULK
