"""Which reported questions become golden candidates, and why."""

from headwater.evaluation.mining import Candidate, Outcome, mine, read_outcomes, review_lines


def outcome(query: str, kind: str, at: float, session: str = "s", rank: int = 0, path: str = "") -> Outcome:
    return Outcome(query, kind, at, session, "repo", "c1", path, rank)


def reasons(*outcomes: Outcome) -> list[tuple[str, str]]:
    return [(c.query, c.reason) for c in mine(outcomes)]


def test_a_good_answer_is_no_candidate() -> None:
    assert reasons(outcome("open file", "accepted", 1, rank=1)) == []


def test_each_kind_of_bad_answer_has_its_reason() -> None:
    assert reasons(outcome("open file", "accepted", 1, rank=9)) == [("open file", "accepted far down")]
    assert reasons(outcome("open file", "rejected", 1)) == [("open file", "no accepted result")]
    assert reasons(outcome("open file", "retried", 1), outcome("open file", "accepted", 2, rank=1)) == [
        ("open file", "asked again")
    ]


def test_a_reformulation_takes_what_was_accepted_in_the_end() -> None:
    (found,) = mine([outcome("open file", "rejected", 1), outcome("openFile", "accepted", 30, rank=1, path="io.py")])
    assert (found.query, found.reason, found.answer) == ("open file", "asked otherwise", "io.py")


def test_another_topic_or_much_later_is_no_reformulation() -> None:
    assert reasons(outcome("open file", "rejected", 1), outcome("sort list", "accepted", 5, rank=1)) == [
        ("open file", "no accepted result")
    ]
    assert reasons(outcome("open file", "rejected", 1), outcome("open a file", "accepted", 900, rank=1)) == [
        ("open file", "no accepted result")
    ]


def test_frequent_ones_come_first_and_sessions_count_once() -> None:
    rows = [outcome("b", "rejected", i, session=f"s{i}") for i in range(3)]
    rows += [outcome("a", "rejected", 1, session="x"), outcome("a", "rejected", 2, session="x")]
    assert [(c.query, c.times) for c in mine(rows)] == [("b", 3), ("a", 1)]


def test_a_half_written_line_is_skipped() -> None:
    lines = [b'{"query":"q","outcome":"rejected","at":1.0,"line":3,"principal":"p"}', b'{"query":"q2","out']
    assert [o.query for o in read_outcomes(lines)] == ["q"]


def test_the_review_file_has_room_for_the_answer() -> None:
    text = review_lines([Candidate("q", "r", "c", "asked again", 2)])
    assert text.endswith('"expected":[]}\n')
