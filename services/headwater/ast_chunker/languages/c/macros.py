"""Macro words that C's and C++'s grammars can't place: hidden from the parser, so that they cost no symbols."""

import re

_WORD = rb"[A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?"
_ALONE = re.compile(rb"^[ \t]*(" + _WORD + rb")[ \t]*\r?$", re.MULTILINE)
_PLACED = (
    re.compile(rb"\b(?:class|struct|union)\s+(" + _WORD + rb")\s+(?=[A-Za-z_][\w:]*\s*(?:final\s*)?[:{;])"),
    re.compile(rb"\)\s*(?:const\s+|override\s+)*(" + _WORD + rb")\s*(?=\{)"),
    re.compile(
        rb"^[ \t]*([A-Z_][A-Z0-9_]{2,})[ \t]+(?=(?:static|inline|unsigned|signed|int|void|char|bool|float|double"
        rb"|long|short|auto|struct|class|virtual|template|constexpr|explicit|extern)\b)",
        re.MULTILINE,
    ),
    re.compile(rb"\b(__(?:init|exit|user|iomem|force|must_check|always_inline|maybe_unused|read_mostly|initdata))\b"),
)
_SKIPPED_LINE = re.compile(rb"[ \t]*(?://[^\n]*|/\*[^\n]*\*/|#[^\n]*)?[ \t\r]*$")
_STARTS_STATEMENT = b";{}:"
_GOES_ON = re.compile(rb"\s*(?:[A-Za-z_}#~\[]|/[/*]|$)")


def unplaced_macros(source: bytes) -> list[tuple[int, int]]:
    """Ranges of macro words that no syntax has a place for: export macros, guards on lines of their own."""
    found = {match.span(1) for pattern in _PLACED for match in pattern.finditer(source)}
    found |= {match.span(1) for match in _ALONE.finditer(source) if _is_statement(source, *match.span(1))}
    ranges: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not ranges or start >= ranges[-1][1]:
            ranges.append((start, end))
    return ranges


def _is_statement(source: bytes, start: int, end: int) -> bool:
    """Not the last enumerator, an operand on a line of its own, or the head of a function that a macro declares."""
    before = _char_before(source, start)
    if before not in _STARTS_STATEMENT:
        return False
    after = _GOES_ON.match(source, end)
    return after is not None and not (before == b"{" and after.group().endswith(b"}"))


def _char_before(source: bytes, start: int) -> bytes:
    """The last character of the code above, comments and directives skipped; `;` at the top of the file."""
    line_start = source.rfind(b"\n", 0, start) + 1
    while line_start > 0:
        above = source.rfind(b"\n", 0, line_start - 1) + 1
        line = source[above : line_start - 1]
        if not _SKIPPED_LINE.match(line):
            return line.split(b"//")[0].rstrip()[-1:] or b";"
        line_start = above
    return b";"
