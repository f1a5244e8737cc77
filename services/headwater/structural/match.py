"""One place in the code that a structural query matches."""

import msgspec


class Match(msgspec.Struct, frozen=True, order=True):
    """Lines are 1-based and inclusive, the column 0-based."""

    path: str
    start_line: int
    end_line: int
    start_column: int = 0
