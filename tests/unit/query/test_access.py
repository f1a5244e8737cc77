"""Fetching until enough rows are admitted."""

from headwater.query.access import fetch_admitted


def test_f11_ten_of_many_are_all_found() -> None:
    rows = range(100_000)
    asked: list[int] = []

    def fetch(limit: int) -> range:
        asked.append(limit)
        return rows[:limit]

    assert fetch_admitted(fetch, lambda row: row % 10_000 == 9_999, 10) == list(range(9_999, 100_000, 10_000))
    assert len(asked) < 8


def test_one_fetch_when_all_are_admitted() -> None:
    asked: list[int] = []

    def fetch(limit: int) -> range:
        asked.append(limit)
        return range(limit)

    assert len(fetch_admitted(fetch, lambda _row: True, 100)) == 100
    assert asked == [100]


def test_a_dry_source_ends_it() -> None:
    assert fetch_admitted(lambda limit: range(min(limit, 3)), lambda _row: True, 10) == [0, 1, 2]
