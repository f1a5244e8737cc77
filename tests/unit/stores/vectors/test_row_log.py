"""The row log reads back what was written, up to the first torn record."""

from hypothesis import given
from hypothesis import strategies as st

from headwater.stores.vectors.row_log import RECORD, LogEntry, decode, encode

entries = st.lists(st.builds(LogEntry, st.binary(min_size=16, max_size=16), st.booleans()), max_size=8)


@given(entries, st.integers(0, 200))
def test_a_cut_log_gives_its_whole_records(written: list[LogEntry], cut: int) -> None:
    assert decode(encode(written)[:cut]) == written[: cut // RECORD]


@given(entries, st.integers(0, 8 * RECORD - 1), st.integers(1, 255))
def test_a_damaged_record_ends_the_log(written: list[LogEntry], at: int, flip: int) -> None:
    raw = bytearray(encode(written))
    if at < len(raw):
        raw[at] ^= flip
        assert decode(bytes(raw)) == written[: at // RECORD]
