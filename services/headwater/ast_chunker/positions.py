"""Byte offsets of a text to lines and columns, as `Position` and `Span` count them."""

from bisect import bisect_right

from headwater.domain.document import Position, Span

BOM = b"\xef\xbb\xbf"


class LineIndex:
    """Line starts of one UTF-8 text. Only LF ends a line; a byte order mark is no column."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        starts = [0]
        find = source.find
        at = find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = find(b"\n", at + 1)
        self.starts = starts
        self._first_column = len(BOM) if source.startswith(BOM) else 0
        self._ascii = source.isascii()

    @property
    def lines(self) -> int:
        """Number of lines; a final LF opens no further line."""
        open_line = 1 if self._source and not self._source.endswith(b"\n") else 0
        return len(self.starts) - 1 + open_line

    def locate(self, byte: int) -> tuple[int, int, int]:
        """(line, column in code points, column in bytes), each 1-based."""
        row = bisect_right(self.starts, byte)
        start = self.starts[row - 1]
        if row == 1:
            start = min(self._first_column, byte)
        byte_col = byte - start + 1
        if self._ascii or byte_col == 1:
            return row, byte_col, byte_col
        before = self._source[start:byte]
        if before.isascii():
            return row, byte_col, byte_col
        return row, len(before.decode("utf-8", "replace")) + 1, byte_col

    def position(self, byte: int) -> Position:
        return Position(byte, *self.locate(byte))

    def span(self, start: int, end: int) -> Span:
        return Span(start, end, *self.locate(start), *self.locate(end))
