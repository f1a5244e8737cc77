"""What is published is prepared for structural questions once, again when it moves, and later when it can't be now."""

import threading

from headwater.domain.query_error import UnavailableError
from headwater.query.structural import Preparer


def test_what_moves_is_prepared_and_a_failure_is_tried_again() -> None:
    published = iter(["a", "a", "b", "b", "b", "b"])
    prepared: list[str] = []
    enough = threading.Event()

    def prepare() -> None:
        prepared.append("x")
        if len(prepared) == 2:
            raise UnavailableError("CATALOG_UNAVAILABLE", "the index can't be read now: try again")
        if len(prepared) == 3:
            enough.set()

    def look() -> str:
        return next(published, "b")

    with Preparer(look, prepare, every_s=0):
        assert enough.wait(10)
    assert len(prepared) == 3
