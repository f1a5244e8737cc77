"""The patterns of a policy: git's wildcards without what other dialects read otherwise, over characters in NFC."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

MAX_LENGTH = 1000
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_ELSEWHERE = {  # what other dialects give a meaning to: never taken as itself unless in brackets
    "\\": "a backslash neither separates nor quotes here: write '/', or '?' for the character",
    "{": "braces aren't read: give each alternative as a pattern of its own, or write '[{]'",
    "}": "braces aren't read: give each alternative as a pattern of its own, or write '[}]'",
    "|": "alternatives aren't read: give each as a pattern of its own, or write '[|]'",
    ",": "a comma doesn't separate: give each pattern as an item of its own, or write '[,]'",
    "]": "']' closes no bracket: write '[]]' for the character",
}
_FIRST = {
    "!": "nothing is taken back here: what may be read stands under allow, what may not under deny",
    "#": "a pattern is no comment: leave it out, or write '[#]'",
    "~": "'~' is no folder: patterns begin at the repository's root, or write '[~]'",
    "^": "this is no regular expression: '*' and '?' are the wildcards",
    ":": "git's pathspec magic isn't read: write '[:]' for the character",
    '"': "the quotes are part of the pattern: take one pair away",
    "'": "the quotes are part of the pattern: take one pair away",
    "`": "the quotes are part of the pattern: take one pair away",
}
_EXTENDED = re.compile(r"[@+?*!]\(")
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_ONE, _MANY = "[^/]", "[^/]*"


class PatternError(Exception):
    """The pattern isn't plainly of the dialect; the message says what to write."""


@lru_cache(maxsize=8192)
def path_source(pattern: str) -> str:
    """A regular expression for whole paths in NFC, of what `pattern` names: a folder names all that is in it.

    Without "/" (but at its end) a pattern names files and folders at any depth, else it begins at the root. Raises
    PatternError.
    """
    body = pattern.removesuffix("/")
    anywhere = "" if "/" in body else "(?:.*/)?"
    folder = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    return anywhere + _source(body.removeprefix("/"), pattern) + folder


@lru_cache(maxsize=8192)
def name_source(pattern: str) -> str:
    """The same for whole names of repositories, always from the beginning. Raises PatternError."""
    if pattern.startswith("/") or pattern.endswith("/"):
        raise PatternError("a repository's name neither begins nor ends with '/': take it away")
    return _source(pattern, pattern)


def compiled(sources: Iterable[str], any_case: bool = False) -> "re.Pattern[str]":
    """Of a deny with `any_case`: what it names in any case of letters, and what it names as it stands."""
    joined = "|".join(sources)
    return re.compile(f"{joined}|(?i:{joined})" if any_case and joined else joined or "(?!)", re.DOTALL)


def normal(text: str) -> str:
    """The form in which names are compared: NFC, so that a name is one however its accents are spelt."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _source(body: str, pattern: str) -> str:
    if len(pattern) > MAX_LENGTH:
        raise PatternError(f"a pattern has at most {MAX_LENGTH} characters")
    _check_text(pattern)
    segments = normal(body).split("/")
    for segment in segments:
        _check_segment(segment)
    return _joined([None if s == "**" else _segment(s) for s in segments])


def _check_text(pattern: str) -> None:
    """Raises PatternError for what can't be meant, wherever it stands."""
    for char in pattern:
        if unicodedata.category(char) in _INVISIBLE:
            raise PatternError(f"U+{ord(char):04X} can't be seen: take it away, or write '?' for it")
    if pattern[:1] in _FIRST:
        raise PatternError(_FIRST[pattern[0]])
    if pattern.endswith("$"):
        raise PatternError("this is no regular expression: '*' and '?' are the wildcards, '[$]' is the character")
    if _EXTENDED.search(pattern):
        raise PatternError("extended patterns aren't read: give each alternative as a pattern of its own")
    if _ENCODED.search(pattern):
        raise PatternError("percent encoding isn't read: write the character, or '[%]'")


def _check_segment(segment: str) -> None:
    """Raises PatternError for what is no name in a git tree."""
    if not segment:
        raise PatternError("there is no name between two '/' or before one: '**' is everything, 'x/' a folder")
    if segment in (".", ".."):
        raise PatternError(f"'{segment}' is no name in a repository: paths begin at its root")
    if segment.lower() == ".git":
        raise PatternError("'.git' is never in a repository's tree: leave it out")
    if segment != segment.strip():
        raise PatternError("a blank at the beginning or end of a name: take it away, or write '[ ]'")
    if "**" in segment and segment != "**":
        raise PatternError("'**' is a name of its own: write 'a/**/b', or '*' within a name")


def _joined(segments: list[str | None]) -> str:
    """None is "**". Each part between two of them is matched as early as it can be, and never tried again."""
    out: list[str] = []
    part: list[str] = []
    after_any = False
    for segment in segments:
        if segment is not None:
            part.append(segment)
            continue
        if part:
            here = "/".join(part) + "/"
            out.append(f"(?>(?:[^/]+/)*?{here})" if after_any else here)
        part, after_any = [], True
    if not part:
        return "".join(out) + ".+"
    last = "/".join(part)
    return "".join(out) + (f"(?:.*/)?{last}" if after_any else last)


def _segment(segment: str) -> str:
    """One name. Only the last piece may take "*" back: it has to end where the name does."""
    head, *further = _pieces(segment)
    if not further:
        return head
    *between, tail = further
    return head + "".join(f"(?>{_MANY}?{piece})" for piece in between) + f"{_MANY}{tail}(?![^/])"


def _pieces(segment: str) -> list[str]:
    """What stands between the "*"s. Raises PatternError."""
    pieces, i = [""], 0
    while i < len(segment):
        char = segment[i]
        if char == "*":
            pieces.append("")
        elif char == "[":
            found, i = _bracket(segment, i)
            pieces[-1] += found
            continue
        elif char in _ELSEWHERE:
            raise PatternError(_ELSEWHERE[char])
        elif unicodedata.combining(char) and (i == 0 or segment[i - 1] in "*?]"):
            raise PatternError(f"U+{ord(char):04X} belongs to the letter before it: write both")
        else:
            pieces[-1] += _ONE if char == "?" else re.escape(char)
        i += 1
    return pieces


def _bracket(segment: str, start: int) -> tuple[str, int]:
    """A class of characters and where it ends. Raises PatternError."""
    negated = segment[start + 1 : start + 2] in ("!", "^")
    first = start + 1 + negated
    end = segment.find("]", first + 1)
    if end < 0:
        raise PatternError("'[' isn't closed: write '[[]' for the character")
    inner = segment[first:end]
    if "\\" in inner or re.search(r"\[[:.=]", inner) or any(unicodedata.combining(c) for c in inner):
        raise PatternError(f"'{segment[start : end + 1]}' can't be read: list single characters and ranges like a-z")
    members, i = "", 0
    while i < len(inner):
        low, high = inner[i], inner[i]
        if inner[i + 1 : i + 2] == "-" and i + 2 < len(inner):
            high = inner[i + 2]
            i += 2
        if low > high:
            raise PatternError(f"the range {low}-{high} is empty: write it the other way round")
        members += re.escape(low) + "-" + re.escape(high)
        i += 1
    return (f"(?!/)[^{members}]" if negated else f"(?!/)[{members}]"), end + 1
