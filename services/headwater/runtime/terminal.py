"""What others wrote, made safe to show: nothing of it moves a cursor, hides text, or looks like another line."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_LOW_BYTE, _HIGH_BYTE = "\uef80", "\uefff"  # how paths spell bytes that aren't UTF-8, see domain/path.py
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"  # printable by definition, and seen by nobody
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str, keep: str = "") -> str:
    """The text with everything that can't be seen as an escape: controls, sequences, marks of direction and of width.

    `keep` says which characters have their own sense where they stand.
    """
    if text.isprintable() and not any(c in text for c in _BLANK_LETTERS):
        return text
    return "".join(c if c in keep else _escaped(c) for c in text)


def _escaped(char: str) -> str:
    if char.isprintable() and char not in _BLANK_LETTERS:
        return char
    if char.isspace() and char >= "\xa0" and char not in "\u2028\u2029":  # blanks of other widths
        return char
    if _LOW_BYTE <= char <= _HIGH_BYTE:
        return f"\\x{ord(char) - 0xEF00:02x}"
    number = ord(char)
    return _SHORT.get(char) or (f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}")


class _Shown(io.TextIOBase):
    """A stream that keeps lines and tabs, and escapes the rest."""

    def __init__(self, stream: IO[str]) -> None:
        self.shown = stream

    def write(self, text: str) -> int:
        return self.shown.write(printable(text, "\n\t"))

    def flush(self) -> None:
        self.shown.flush()

    def isatty(self) -> bool:
        return self.shown.isatty()

    def fileno(self) -> int:
        return self.shown.fileno()

    def close(self) -> None:
        """The stream isn't its own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shown, name)


@contextmanager
def safe_streams() -> Iterator[None]:
    """Inside, standard error is escaped, and standard output where it is a terminal: a pipe gets code as it is.

    Characters that the terminal's encoding lacks are escaped, and streams that the caller closed lead nowhere.
    """
    _open_closed()
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stderr = _Shown(sys.stderr)
    if sys.stdout.isatty():
        sys.stdout = _Shown(sys.stdout)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def shown_on(stream: IO[str]) -> IO[str]:
    """What a program that draws on the terminal itself writes to."""
    return stream.shown if isinstance(stream, _Shown) else stream


def _open_closed() -> None:
    """Else the next file that is opened gets the number of a standard stream, and output lands in it."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
        setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as the process lives
