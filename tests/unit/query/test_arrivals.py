"""One look for all who wait, none while nobody does."""

import threading

from headwater.query.arrivals import Arrivals
from headwater.stores.catalog import CatalogUnavailableError


def test_s4_all_who_wait_are_told_of_a_move_by_the_same_looks() -> None:
    looks, asleep, go_on = [], threading.Semaphore(0), threading.Semaphore(0)
    position = ["before"]

    def look() -> object:
        looks.append(position[0])
        return position[0]

    def sleep(_seconds: float) -> None:
        asleep.release()
        go_on.acquire()

    arrivals, first, second = Arrivals(look, sleep), threading.Semaphore(0), threading.Semaphore(0)
    with arrivals.told(first.release), arrivals.told(second.release):
        for _ in range(2):
            asleep.acquire()
            position[0] = "after"
            go_on.release()
        asleep.acquire()
        assert second.acquire(blocking=False)
    assert looks[0] == "before"
    assert looks.count("after") == 2
    go_on.release()
    threading.Event().wait(0)
    for thread in threading.enumerate():
        if thread.name == "arrivals":
            thread.join()
    assert len(looks) == 3


def test_s4_a_catalog_that_goes_away_wakes_them_too() -> None:
    woken = threading.Event()

    def away() -> object:
        raise CatalogUnavailableError("away")

    with Arrivals(away).told(woken.set):
        assert woken.wait(10)
