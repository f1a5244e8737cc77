"""A generation is published when both sides are complete; the lexical side may go ahead after a grace period."""

import pytest

from headwater.domain.view import ViewKey
from headwater.events import IndexApplied, Lane
from headwater.events.index_applied import Index
from headwater.reconciler.process import Publication, Push, publication, pushes_of
from headwater.stores.catalog import Missing


@pytest.mark.parametrize(
    ("missing", "waited", "decision"),
    [
        (Missing((), ()), 0, Publication.COMPLETE),
        (Missing(("a",), ()), 1e9, Publication.WAIT),
        (Missing(("a",), ("b",)), 1e9, Publication.WAIT),
        (Missing((), ("b",)), 9, Publication.WAIT),
        (Missing((), ("b",)), 11, Publication.LEXICAL_ONLY),
    ],
)
def test_publication(missing: Missing, waited: float, decision: Publication) -> None:
    assert publication(missing, waited, vector_grace=10) is decision


def test_each_view_waits_since_its_latest_push() -> None:
    def applied(ref: str, pushed_at: float) -> IndexApplied:
        return IndexApplied(index=Index.VECTOR, repo="r", ref=ref, generation=1, pushed_at=pushed_at)

    batch = [applied("a", 1), applied("b", 5), applied("a", 3)]
    assert pushes_of(batch) == {
        ViewKey("r", "a"): Push(3, Lane.LIVE),
        ViewKey("r", "b"): Push(5, Lane.LIVE),
    }
