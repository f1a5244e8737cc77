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
_NO_CODE = re.compile(
    rb"/\*.*?(?:\*/|\Z)|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|^[ \t]*#(?:\\\r?\n|[^\n])*", re.DOTALL | re.MULTILINE
)
_STARTS_STATEMENT = b";{}:"
_GOES_ON = re.compile(rb"\s*(?:[A-Za-z_}~\[]|\Z)")
_LOOK_BACK = 4096


def unplaced_macros(source: bytes) -> list[tuple[int, int]]:
    """Ranges of macro words that no syntax has a place for: export macros, guards on lines of their own."""
    code = _NO_CODE.sub(_blanked, source)
    found = {match.span(1) for pattern in _PLACED for match in pattern.finditer(code)}
    found |= {match.span(1) for match in _ALONE.finditer(code) if _is_statement(code, *match.span(1))}
    ranges: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not ranges or start >= ranges[-1][1]:
            ranges.append((start, end))
    return ranges


def _blanked(match: re.Match[bytes]) -> bytes:
    """Comments, strings and directives as spaces; a string leaves its quotes, so that something stands there."""
    text = match.group()
    blank = re.sub(rb"[^\n]", b" ", text)
    return b'"' + blank[1:-1] + b'"' if text[:1] == b'"' else blank


def _is_statement(code: bytes, start: int, end: int) -> bool:
    """Not the last enumerator, an operand on a line of its own, or the head of a function that a macro declares."""
    before = code[max(0, start - _LOOK_BACK) : start].rstrip()[-1:] or b";"
    if before not in _STARTS_STATEMENT:
        return False
    after = _GOES_ON.match(code, end)
    return after is not None and not (before == b"{" and after.group().endswith(b"}"))
