"""Git's wildmatch as a regular expression over bytes: what .gitignore patterns mean, byte for byte."""

from collections.abc import Callable, Mapping

_POSIX: dict[bytes, Callable[[int], bool]] = {
    b"alnum": lambda c: chr(c).isalnum(),
    b"alpha": lambda c: chr(c).isalpha(),
    b"blank": lambda c: c in b" \t",
    b"cntrl": lambda c: c < 32 or c == 127,
    b"digit": lambda c: chr(c).isdigit(),
    b"graph": lambda c: 32 < c < 127,
    b"lower": lambda c: chr(c).islower(),
    b"print": lambda c: 32 <= c < 127,
    b"punct": lambda c: 32 < c < 127 and not chr(c).isalnum(),
    b"space": lambda c: c in b" \t\n\r\f\v",
    b"upper": lambda c: chr(c).isupper(),
    b"xdigit": lambda c: c in b"0123456789abcdefABCDEF",
}
_SPECIAL = frozenset(b"*?[\\")
NEVER = b"(?!)"
_ANY_NAME, _ANY_FOLDERS, _ANYTHING = b"[^/]*", b"(?:.*/)?", b".*"
_STAR = {_ANY_NAME: b"[^/]*?"}  # each wildcard, and the same taking as little as it can
_FOLDERS = {_ANY_FOLDERS: b"(?:.*?/)??", _ANYTHING: b".*?"}


def literal_length(pattern: bytes) -> int:
    """How many bytes come before the first special one."""
    return next((i for i, c in enumerate(pattern) if c in _SPECIAL), len(pattern))


def wildmatch_regex(pattern: bytes) -> bytes:
    """For `re.fullmatch` with DOTALL; "*", "?" and classes stop at "/", "**" between slashes doesn't.

    What git never matches (a class that isn't closed, a backslash at the end) never matches here. Takes O(n²) steps for
    n bytes of path, whatever the pattern: these patterns come from repositories that anybody may write.
    """
    plain = literal_length(pattern)
    pieces = [_quoted(pattern[:plain])]
    rest, i = pattern[plain:], 0  # git compares the plain beginning apart, so "**" after it counts as at a beginning
    while i < len(rest):
        piece, i = _piece(rest, i)
        if piece is None:
            return NEVER
        pieces.append(piece)
    return _without_retries(pieces)


def _without_retries(pieces: list[bytes]) -> bytes:
    """What stands between two wildcards of a kind is matched as early as it can be, and never tried again later on.

    That loses nothing: the wildcard after it takes whatever a later match would have passed over.
    """
    (_, head), *further = _split(pieces, _FOLDERS)
    if not further:
        return _segments(head, is_last=True)
    *between, (folders, tail) = further
    out = [_segments(head, is_last=False)]
    out += [b"(?>" + _FOLDERS[any_] + _segments(part, is_last=False) + b")" for any_, part in between]
    return b"".join((*out, folders, _segments(tail, is_last=True)))


def _segments(pieces: list[bytes], is_last: bool) -> bytes:
    """Without "**". Only the last part of a pattern has to end where the path does, so only there "*" may give back."""
    (_, head), *further = _split(pieces, _STAR)
    final = further.pop()[1] if is_last and further else None
    out = head + [b"(?>" + _STAR[_ANY_NAME] + b"".join(part) + b")" for _, part in further]
    return b"".join(out if final is None else (*out, _ANY_NAME, *final))


def _split(pieces: list[bytes], at: Mapping[bytes, bytes]) -> list[tuple[bytes, list[bytes]]]:
    """The parts around these wildcards, each with the one before it (b"" for the first)."""
    parts: list[tuple[bytes, list[bytes]]] = [(b"", [])]
    for piece in pieces:
        if piece in at:
            parts.append((piece, []))
        else:
            parts[-1][1].append(piece)
    return parts


def _piece(pattern: bytes, i: int) -> tuple[bytes | None, int]:
    char = pattern[i : i + 1]
    if char == b"*":
        return _stars(pattern, i)
    if char == b"?":
        return b"[^/]", i + 1
    if char == b"[":
        return _character_class(pattern, i + 1)
    if char == b"\\":
        return (_quoted(pattern[i + 1 : i + 2]), i + 2) if i + 1 < len(pattern) else (None, i)
    return _quoted(char), i + 1


def _stars(pattern: bytes, start: int) -> tuple[bytes, int]:
    end = start
    while pattern[end : end + 1] == b"*":
        end += 1
    rest = pattern[end:]
    between = (start == 0 or pattern[start - 1 : start] == b"/") and (not rest or rest.startswith((b"/", b"\\/")))
    if end - start == 1 or not between:
        return _ANY_NAME, end
    return (_ANY_FOLDERS, end + 1) if rest.startswith(b"/") else (_ANYTHING, end)


def _character_class(pattern: bytes, i: int) -> tuple[bytes | None, int]:
    negated = pattern[i : i + 1] in (b"!", b"^")
    i += negated
    members: set[int] = set()
    before = -1  # what a "-" would start a range from
    first = True
    while first or pattern[i : i + 1] != b"]":
        first = False
        if i >= len(pattern):
            return None, i
        taken = _member(pattern, i, before, members)
        if taken is None:
            return None, i
        before, i = taken
    chosen = (set(range(256)) - members if negated else members) - {ord("/")}
    return (b"[" + b"".join(b"\\x%02x" % c for c in sorted(chosen)) + b"]" if chosen else NEVER), i + 1


def _member(pattern: bytes, i: int, before: int, members: set[int]) -> tuple[int, int] | None:
    """Add the member at `i`; gives what a range may start from and where to go on; None for what git refuses."""
    char = pattern[i]
    if char == ord("\\"):
        if i + 1 >= len(pattern):
            return None
        members.add(pattern[i + 1])
        return pattern[i + 1], i + 2
    if char == ord("-") and before >= 0 and pattern[i + 1 : i + 2] not in (b"", b"]"):
        end = i + 2 if pattern[i + 1] == ord("\\") else i + 1
        if end >= len(pattern):
            return None
        members.update(range(before, pattern[end] + 1))
        return -1, end + 1
    if pattern.startswith(b"[:", i):
        return _posix_class(pattern, i, members)
    members.add(char)
    return char, i + 1


def _posix_class(pattern: bytes, i: int, members: set[int]) -> tuple[int, int] | None:
    end = pattern.find(b"]", i + 2)
    if end < 0:
        return None
    if end - 1 < i + 2 or pattern[end - 1] != ord(":"):
        members.add(ord("["))
        return ord("["), i + 1
    holds = _POSIX.get(pattern[i + 2 : end - 1])
    if holds is None:
        return None
    members.update(c for c in range(128) if holds(c))
    return -1, end + 1


def _quoted(text: bytes) -> bytes:
    return b"".join(b"\\x%02x" % c for c in text)
