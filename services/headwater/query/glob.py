"""Path globs: gitignore's rules with braces, matched in linear time."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import re2

from headwater.domain.query_error import InvalidQuestionError

MAX_GLOBS, MAX_GLOB_LENGTH, MAX_ALTERNATIVES = 100, 1000, 64


class PathFilter:
    """Admits a path that matches any including glob (or there is none) and no excluding one ("!" in front)."""

    def __init__(self, globs: Sequence[str]) -> None:
        if len(globs) > MAX_GLOBS:
            raise InvalidQuestionError("path_globs", f"at most {MAX_GLOBS} globs: join some with {{a,b}}")
        spelled = list(dict.fromkeys(form for g in globs for form in (g, unicodedata.normalize("NFC", g))))
        self._include = [_compiled(g) for g in spelled if not g.startswith("!")]
        self._exclude = [_compiled(g[1:]) for g in spelled if g.startswith("!")]
        self.is_empty = not globs

    def admits(self, path: str) -> bool:
        """A path in whatever Unicode normal form: "é" typed as one character or as two is the same letter."""
        forms = (path,) if path.isascii() else (path, unicodedata.normalize("NFC", path))
        if any(pattern.fullmatch(form) for pattern in self._exclude for form in forms):
            return False
        return not self._include or any(pattern.fullmatch(form) for pattern in self._include for form in forms)


@lru_cache(maxsize=512)
def _compiled(glob: str) -> "re2._Regexp":
    if len(glob) > MAX_GLOB_LENGTH:
        raise InvalidQuestionError("path_globs", f"a glob has at most {MAX_GLOB_LENGTH} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile("(?s)" + glob_to_regex(glob), options)
    except re2.error as error:
        raise InvalidQuestionError("path_globs", f"glob '{glob[:80]}' is too complex: {error}") from error


def glob_to_regex(glob: str) -> str:
    """The RE2 pattern that whole paths must match. Total: whatever is no valid construct stands for itself.

    A glob without "/" (but at its end) matches at any depth, else from the root; a match of a folder includes all
    below it; "*" and "?" stop at "/", "**" does not; "[a-z]" and "[!a]" are classes, "{a,b}" alternatives, and a
    backslash takes the next character literally.
    """
    alternatives = _expand_braces(glob)
    return "(?:" + "|".join(_one(a) for a in alternatives) + ")"


def _one(glob: str) -> str:
    folder_only = glob.endswith("/") and not glob.endswith("\\/")
    body = glob.rstrip("/") if folder_only else glob
    anchored = "/" in body
    body = body.lstrip("/")
    prefix = "" if anchored else "(?:.*/)?"
    suffix = "/.*" if folder_only else "(?:/.*)?"
    return prefix + _translate(body) + suffix


def _translate(body: str) -> str:
    out: list[str] = []
    i = 0
    while i < len(body):
        piece, i = _piece(body, i)
        out.append(piece)
    return "".join(out)


def _piece(body: str, i: int) -> tuple[str, int]:
    char = body[i]
    if char == "\\" and i + 1 < len(body):
        return re2.escape(body[i + 1]), i + 2
    if body.startswith("**/", i) and (i == 0 or body[i - 1] == "/"):
        return "(?:.*/)?", i + 3
    if body.startswith("**", i):
        return ".*", i + 2
    if char == "*":
        return "[^/]*", i + 1
    if char == "?":
        return "[^/]", i + 1
    if char == "[":
        return _character_class(body, i)
    return re2.escape(char), i + 1


def _character_class(body: str, start: int) -> tuple[str, int]:
    i = start + 1
    negated = body[i : i + 1] in ("!", "^")
    i += negated
    members: list[str] = []
    while i < len(body) and (body[i] != "]" or not members):
        if body[i] == "\\" and i + 1 < len(body):
            i += 1
        low, high = body[i], body[i]
        if body[i + 1 : i + 2] == "-" and body[i + 2 : i + 3] not in ("", "]"):
            high = body[i + 2]
            i += 2
        if low <= high:
            members.append(f"\\x{{{ord(low):x}}}-\\x{{{ord(high):x}}}")
        i += 1
    if i >= len(body) or not members:
        return re2.escape("["), start + 1  # never closed: it stands for itself
    return ("[^/" if negated else "[") + "".join(members) + "]", i + 1


def _expand_braces(glob: str) -> list[str]:
    pending = [glob]
    done: list[str] = []
    while pending:
        text = pending.pop(0)
        found = _first_brace(text)
        if found is None or len(pending) + len(done) > MAX_ALTERNATIVES:
            done.append(text)
            continue
        start, commas, end = found
        cuts = [start, *commas, end]
        parts = [text[a + 1 : b] for a, b in pairwise(cuts)]
        pending = [text[:start] + part + text[end + 1 :] for part in parts] + pending
    return done


def _first_brace(text: str) -> tuple[int, list[int], int] | None:
    """Position of the first innermost {…} that has a comma, its commas, and its end."""
    start, i = -1, 0
    commas: list[int] = []
    while i < len(text):
        if text[i] == "\\":
            i += 2
            continue
        if text[i] == "{":
            start, commas = i, []
        elif text[i] == "," and start >= 0:
            commas.append(i)
        elif text[i] == "}" and start >= 0:
            if commas:
                return start, commas, i
            start = -1
        i += 1
    return None
