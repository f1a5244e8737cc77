"""Which literal strings every match of a pattern must contain: the sound half of regex search."""

import re

import msgspec

_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??")
_GROUP_OPEN = re.compile(r"\?(?:P?<\w+>|([imsU-]*):)")
_FLAGS = re.compile(r"\(\?([imsU]*)(?:-[imsU]+)?[:)]")
_FLAGS_ALONE = re.compile(r"\?[imsU-]+\)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_ZERO_WIDTH = "bBAz"
_UNICODE_TWINS = "sSkK"  # ſ and the Kelvin sign match these when case is ignored


class _Node(msgspec.Struct):
    """`exact`: the node matches this string and nothing else; `required`: strings in each of its matches."""

    exact: str | None
    required: list[str]


def literals_of_regex(pattern: str, ignore_case: bool) -> tuple[str, ...]:
    """Strings that, ignoring case, occur in every text that the RE2 pattern matches. Maybe none, never a wrong one.

    `pattern` is valid RE2 syntax; whatever this reader doesn't understand contributes nothing.
    """
    folded = ignore_case or any("i" in flags[1] for flags in _FLAGS.finditer(pattern))
    try:
        node = _Reader(pattern).alternatives()
    except (IndexError, ValueError):
        return ()
    found = [*node.required, node.exact or ""]
    return _usable(found, folded)


def literals_of_text(text: str, ignore_case: bool) -> tuple[str, ...]:
    """The same for a literal pattern."""
    return _usable([text], ignore_case)


def _usable(strings: list[str], folded: bool) -> tuple[str, ...]:
    """Cut where folding case may change a character, and at line ends."""
    pieces: list[str] = []
    for text in strings:
        piece = ""
        for char in text:
            if _is_stable(char, folded):
                piece += char
                continue
            pieces.append(piece)
            piece = ""
        pieces.append(piece)
    return tuple(dict.fromkeys(p for p in pieces if len(p) >= 3))


def _is_stable(char: str, folded: bool) -> bool:
    if char in "\n\r" or (folded and char in _UNICODE_TWINS):
        return False
    return char.isascii() or (not folded and char.lower() == char)


class _Reader:
    """Recursive descent over RE2 syntax; IndexError or ValueError where it can't follow."""

    _MAX_DEPTH = 100

    def __init__(self, pattern: str) -> None:
        self._text, self._at, self._depth = pattern, 0, 0

    def alternatives(self) -> _Node:
        self._depth += 1
        if self._depth > self._MAX_DEPTH:
            raise ValueError("nested too deep")
        branches = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._sequence())
        self._depth -= 1
        if self._depth == 0 and self._at < len(self._text):
            raise ValueError("unbalanced")
        return branches[0] if len(branches) == 1 else _Node(None, [])

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _sequence(self) -> _Node:
        run, exact = "", True
        required: list[str] = []
        while self._peek() not in ("", "|", ")"):
            node = self._atom()
            least, once = self._repeats()
            if once and node.exact is not None:
                run += node.exact
                continue
            exact = False
            if least > 0 and node.exact is not None:  # x+ begins and ends with x
                required.append(run + node.exact)
                run = node.exact
                continue
            required.append(run)
            run = ""
            if least > 0:
                required.extend(node.required)
        if exact:
            return _Node(run, [])
        return _Node(None, [r for r in [*required, run] if r])

    def _repeats(self) -> tuple[int, bool]:
        """Least number of times, and whether it is exactly once."""
        least, once = 1, True
        while found := _QUANTIFIER.match(self._text, self._at):
            self._at = found.end()
            once = False
            sign = found[0][0]
            least *= 0 if sign in "*?" else 1 if sign == "+" else int(found[1])
        return least, once

    def _atom(self) -> _Node:
        char = self._text[self._at]
        self._at += 1
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._character_class()
        if char == "(":
            return self._group()
        if char == ".":
            return _Node(None, [])
        return _Node("" if char in "^$" else char, [])

    def _escape(self) -> _Node:
        char = self._text[self._at]
        self._at += 1
        if char == "Q":
            end = self._text.find("\\E", self._at)
            end = len(self._text) if end < 0 else end
            quoted, self._at = self._text[self._at : end], min(end + 2, len(self._text))
            return self._quoted(quoted)
        if char in _CONTROL:
            return _Node(_CONTROL[char], [])
        if char in _ZERO_WIDTH:
            return _Node("", [])
        if char in "pP":
            self._at = self._text.index("}", self._at) + 1 if self._peek() == "{" else self._at + 1
            return _Node(None, [])
        if char == "x":
            self._at = self._text.index("}", self._at) + 1 if self._peek() == "{" else self._at + 2
            return _Node(None, [])
        if char.isdigit():
            while self._peek().isdigit():
                self._at += 1
            return _Node(None, [])
        if char.isalnum():  # \d, \w, \C and their kind
            return _Node(None, [])
        return _Node(char, [])

    def _quoted(self, quoted: str) -> _Node:
        """A quantifier after \\Q…\\E binds to the last character only: that one is left out."""
        if not quoted:
            self._refuse_quantifier()
        if _QUANTIFIER.match(self._text, self._at):
            self._repeats()
            return _Node(None, [quoted[:-1]])
        return _Node(quoted, [])

    def _refuse_quantifier(self) -> None:
        """What is no operand leaves a quantifier to the operand before it, which is read already."""
        if _QUANTIFIER.match(self._text, self._at):
            raise ValueError("quantifier after what is no operand")

    def _character_class(self) -> _Node:
        if self._peek() == "^":
            self._at += 1
        first = True
        while first or self._peek() != "]":
            if self._text.startswith("[:", self._at) and ":]" in self._text[self._at :]:
                self._at = self._text.index(":]", self._at) + 2
            else:
                self._at += 2 if self._text[self._at] == "\\" else 1
            first = False
        self._at += 1
        return _Node(None, [])

    def _group(self) -> _Node:
        if flags := _FLAGS_ALONE.match(self._text, self._at):
            self._at = flags.end()
            self._refuse_quantifier()
            return _Node("", [])
        if opened := _GROUP_OPEN.match(self._text, self._at):
            self._at = opened.end()
        elif self._peek() == "?":
            raise ValueError("unknown group")
        node = self.alternatives()
        if self._peek() != ")":
            raise ValueError("unbalanced")
        self._at += 1
        return node
