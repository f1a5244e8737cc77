"""Text as written: documents that may hold it by their trigrams, then a linear-time scan of each."""

import re
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec
import re2

from headwater.domain.answer import Range, Result
from headwater.domain.query_error import InvalidQuestionError
from headwater.domain.question import GrepQuestion
from headwater.query.access import Access
from headwater.query.hydrate import line_around, place_of
from headwater.query.literals import literals_of_regex, literals_of_text
from headwater.stores.index_reader import DocumentRow

MAX_PATTERN_BYTES = 8192
MAX_PROGRAM_BYTES = 16 << 20
TIME_BUDGET_S = 5.0
TEXTS_AT_ONCE = 64
_ANY_BYTE = re.compile(r"(?<!\\)(?:\\\\)*\\C")
_CRLF = re.compile(rb"\r\n")
_CARRIAGE_RETURN = re.compile(r"\r|\\r|\\x0d|\\x\{0*d\}|\\15|\\015", re.IGNORECASE)  # asked for as such
_ADVICE = {  # by what RE2 says
    "invalid perl operator": "look-around isn't in a language of linear time: search for more and narrow by path",
    "invalid escape sequence": "back-references aren't in a language of linear time; '\\\\' is a backslash",
    "invalid repetition size": "repeat at most 1000 times in all, or write '+'",
    "pattern too large": "it repeats too much: write '+' for a number",
}


class Scan(msgspec.Struct, frozen=True):
    """Matches in (snapshot, path, position) order; `resume` is where the next page starts, None at the end."""

    results: tuple[Result, ...]
    resume: tuple[int, int] | None  # document number, match number within it
    complete: bool
    degraded: tuple[str, ...] = ()


class Pattern(msgspec.Struct, frozen=True):
    """A compiled pattern and strings that each match contains."""

    regex: "re2._Regexp"
    literals: tuple[str, ...]
    crlf: bool = False  # a line may end with CRLF, "$" stands before both


def compile_pattern(question: GrepQuestion) -> Pattern:
    """Raises InvalidQuestionError for an empty, too long or invalid pattern."""
    text = question.pattern
    if not text.strip():
        raise InvalidQuestionError("pattern", "the pattern is empty: give the text to find")
    try:
        length = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidQuestionError("pattern", "the pattern isn't UTF-8: write it in that encoding") from None
    if length > MAX_PATTERN_BYTES:
        raise InvalidQuestionError("pattern", f"the pattern is longer than {MAX_PATTERN_BYTES} bytes: shorten it")
    if question.regex and _ANY_BYTE.search(text):
        raise _bad_pattern(text, "\\C would match half a character: '.' is one character")
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = MAX_PROGRAM_BYTES
    options.case_sensitive = not question.ignore_case
    options.dot_nl = question.multiline
    options.never_nl = question.regex and not question.multiline
    try:
        regex = re2.compile(f"(?m){text}" if question.regex else re2.escape(text), options)
    except re2.error as error:
        raise _bad_pattern(text, error.args[0].decode("utf-8", "replace").replace("(?m)", "", 1)) from error
    literals = (literals_of_regex if question.regex else literals_of_text)(text, question.ignore_case)
    by_line = question.regex and not question.multiline
    return Pattern(regex, literals, crlf=by_line and not _CARRIAGE_RETURN.search(text))


def _bad_pattern(text: str, reason: str) -> InvalidQuestionError:
    advice = next((advice for said, advice in _ADVICE.items() if said in reason), "correct it, or search literally")
    message = f"'{text[:80]}' is no RE2 regular expression ({reason}): {advice}"
    return InvalidQuestionError("pattern", message, "BAD_PATTERN")


def scan(
    access: Access, pattern: Pattern, limit: int, start: tuple[int, int] = (0, 0), also: Sequence[str] = ()
) -> Scan:
    """Up to `limit` matches from `start`. `also`: strings that a document must hold somewhere, ignoring case.

    When the budget of time ends first, or a text can't be had, the answer is what was found, marked incomplete.
    """
    documents = _documents(access, [*pattern.literals, *also])
    stop = time.monotonic() + min(TIME_BUDGET_S, access.deadline.remaining() * 0.9)
    results: list[Result] = []
    first, skip = start
    for number in range(first, len(documents)):
        if time.monotonic() > stop:
            return Scan(tuple(results), (number, 0), False, access.without())
        if (number - first) % TEXTS_AT_ONCE == 0:
            access.prepare(documents[number : number + TEXTS_AT_ONCE])
        row = documents[number]
        text = access.text(row)
        if text is None:
            continue
        if also and not _holds_all(text, also):
            continue
        for found in _matches(access, row, text, pattern, skip if number == first else 0, stop):
            if found is None:
                return Scan(tuple(results), None, False, access.without())
            index, result = found
            if len(results) == limit:
                return Scan(tuple(results), (number, index), not access.texts.lacking, access.without())
            results.append(result)
    return Scan(tuple(results), None, not access.texts.lacking, access.without())


def _documents(access: Access, literals: list[str]) -> list[DocumentRow]:
    rows = access.reader.documents_containing(access.scope, literals)
    return sorted((r for r in rows if access.admits(r)), key=lambda r: (r.snapshot, r.path))


def _holds_all(text: bytes, strings: Sequence[str]) -> bool:
    lower = text.decode("utf-8", "replace").lower()
    return all(s.lower() in lower for s in strings)


def _matches(
    access: Access, row: DocumentRow, text: bytes, pattern: Pattern, skip: int, stop: float
) -> Iterator[tuple[int, Result] | None]:
    """(number, result) of each non-empty match from number `skip` on; None when the time is up."""
    line, line_start, number = 1, 0, -1
    for start, end in _spans(pattern, text):
        if start == end:
            continue
        number += 1
        line += text.count(b"\n", line_start, start)
        line_start = text.rfind(b"\n", 0, start) + 1
        if number >= skip:
            yield number, _result(access, row, text, (start, end), (line, line_start))
        if number % 256 == 255 and time.monotonic() > stop:
            yield None


def _spans(pattern: Pattern, text: bytes) -> Iterator[tuple[int, int]]:
    """Bytes from and to of each match, empty ones as well."""
    if not pattern.crlf or b"\r\n" not in text:
        yield from (match.span() for match in pattern.regex.finditer(text))
        return
    ends = [match.start() - number for number, match in enumerate(_CRLF.finditer(text))]
    for match in pattern.regex.finditer(text.replace(b"\r\n", b"\n")):
        start, end = match.span()
        yield start + bisect_left(ends, start), end + bisect_left(ends, end)


def _result(access: Access, row: DocumentRow, text: bytes, match: tuple[int, int], at: tuple[int, int]) -> Result:
    (start, end), (line, line_start) = match, at
    end_line = line + text.count(b"\n", start, end)
    end_line_start = max(line_start, text.rfind(b"\n", 0, end) + 1)
    place = Range(
        line,
        _columns(text, line_start, start),
        start - line_start + 1,
        end_line,
        _columns(text, end_line_start, end),
        end - end_line_start + 1,
    )
    snippet = line_around(access, row, start)
    if end_line > line:
        snippet = text[line_start : min(end, line_start + 2000)].decode("utf-8", "replace")
    return Result(
        **place_of(access, row),
        range=place,
        kind="match",
        retrievers=("text",),
        snippet=snippet,
        snippet_line=line,
        generated=row.generated,
    )


def _columns(text: bytes, line_start: int, at: int) -> int:
    """1-based column in code points; a byte order mark is not one."""
    prefix = text[line_start:at]
    if line_start == 0:
        prefix = prefix.removeprefix(b"\xef\xbb\xbf")
    return len(prefix.decode("utf-8", "replace")) + 1
