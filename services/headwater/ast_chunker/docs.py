"""Documentation of definitions: the comment directly above, cleaned, and its first sentence."""

import re
from bisect import bisect_left

from headwater.ast_chunker.positions import LineIndex

MAX_DOC = 200
_NEAR = 1000  # bytes of indentation at most between a comment and what it documents
_MARKERS = re.compile(r"^[ \t]*(?:/\*[*!]?|\*/|\*(?!/)|///?!?|##?!?|--+|;+|%+|<!--)?[ \t]?|[ \t]*(?:\*/|-->)?[ \t]*$")
_STRING_QUOTES = re.compile(r"^[rRuUbBfF]{0,2}(\"\"\"|\'\'\'|\"|\')|(\"\"\"|\'\'\'|\"|\')$")
_SENTENCE_END = re.compile(r"(?<=[^.][.!?。！？])(?=\s|$)|\n[ \t]*\n")
_TAGS = re.compile(r"<[^<>]{1,40}>|\{@\w+\s+([^}]*)\}")
_PARAGRAPH_BREAK = ("@", ":param", "Args:", "Parameters", "```")


class CommentIndex:
    """The comments of one file that stand on lines of their own, found by the line they end on."""

    def __init__(
        self, comments: list[tuple[int, int]], source: bytes, lines: LineIndex, attributes: list[tuple[int, int]]
    ) -> None:
        self._source, self._lines, self._attributes = source, lines, frozenset(attributes)
        self._comments = sorted(c for c in (*comments, *attributes) if self._opens_line(c[0]))
        self._starts = [c[0] for c in self._comments]
        self._blocks: list[int] = []  # of each comment, where the block that it ends begins
        for at, (start, _end) in enumerate(self._comments):
            touches = at > 0 and self._touches(self._comments[at - 1][1], start)
            self._blocks.append(self._blocks[-1] if touches else start)

    def start_above(self, start: int) -> int:
        """Where the block of comments that touches the line of `start` from above begins; `start` without one."""
        at = bisect_left(self._starts, start) - 1
        if at < 0 or not self._touches(self._comments[at][1], start):
            return start
        return self._blocks[at]

    def _touches(self, end: int, start: int) -> bool:
        """Whether no blank line and no code stands between a comment's end and `start`."""
        between = self._source[end : min(start, end + _NEAR)]
        line_ended = self._source[end - 1 : end] == b"\n"
        return start - end <= _NEAR and not between.strip() and between.count(b"\n") <= (0 if line_ended else 1)

    def doc_above(self, start: int) -> str:
        """First sentence of the comment block above `start`."""
        low, high = bisect_left(self._starts, self.start_above(start)), bisect_left(self._starts, start)
        block = [c for c in self._comments[low:high] if c not in self._attributes]
        if not block:
            return ""
        return first_sentence(self._source[block[0][0] : block[-1][1]].decode("utf-8", "replace"))

    def _opens_line(self, start: int) -> bool:
        line_start = self._source.rfind(b"\n", max(0, start - 400), start) + 1
        return not self._source[line_start:start].strip(b" \t\r\xef\xbb\xbf") or line_start > start


def first_sentence(raw: str) -> str:
    """The first sentence of a comment or docstring without its markers and tags, at most 200 characters."""
    text = raw[:2000].strip()
    if text[:1] in "\"'rRuUbB" and _STRING_QUOTES.match(text):
        text = _STRING_QUOTES.sub("", text)
    else:
        text = "\n".join(_MARKERS.sub("", line) for line in text.splitlines())
    text = text.strip()
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip().startswith(_PARAGRAPH_BREAK):
            break
        lines.append(line)
    text = _TAGS.sub(lambda m: m.group(1) or "", "\n".join(lines))
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0]
    return " ".join(sentence.split())[:MAX_DOC]
