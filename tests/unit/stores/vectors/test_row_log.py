"""The row log reads back what was written, without the records that are torn or damaged."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.stores.vectors.row_log import RECORD, LogEntry, decode, encode

SALT = "2/m/16"
numbers = st.integers(0, (1 << 32) - 1)
checks = st.integers(0, (1 << 64) - 1)
entries = st.lists(st.builds(LogEntry, st.binary(min_size=16, max_size=16), st.booleans(), numbers, checks), max_size=8)


@given(entries, st.integers(0, 400))
def test_a_cut_log_gives_its_whole_records(written: list[LogEntry], cut: int) -> None:
    found, damaged = decode(encode(written, SALT)[:cut], SALT)
    assert (list(found), damaged) == (written[: cut // RECORD], 0)


@given(entries, st.integers(0, 8 * RECORD - 1), st.integers(1, 255))
def test_s11_a_damaged_record_is_left_out_and_counted(written: list[LogEntry], at: int, flip: int) -> None:
    raw = bytearray(encode(written, SALT))
    if at < len(raw):
        raw[at] ^= flip
        found, damaged = decode(bytes(raw), SALT)
        assert (list(found), damaged) == ([e for n, e in enumerate(written) if n != at // RECORD], 1)


@given(st.integers(1, 5))
def test_s11_zeros_and_the_log_of_another_model_are_no_records(count: int) -> None:
    assert decode(bytes(RECORD * count), SALT)[1] == count
    assert decode(encode([LogEntry(b"k" * 16, True)] * count, "2/other/16"), SALT)[1] == count
