"""From the bytes of a tree entry to UTF-8 text that spans can refer to, or the reason why there is none."""

import re
from dataclasses import dataclass

from headwater.domain import reason
from headwater.domain.treatment import ContentRules
from headwater.domain.tree import Mode

_SNIFFED = 8192
_LFS_LIMIT = 1024
_MOST_ZEROS, _BYTES_A_ZERO = 64, 16
_LFS = re.compile(
    rb"\Aversion https://(?:git-lfs\.github\.com|hawser\.github\.com)/spec/v1\n"
    rb"(?:[a-z0-9.-]+ [^\n]*\n)*?oid sha256:[0-9a-f]{64}\n(?:[a-z0-9.-]+ [^\n]*\n)*?size [0-9]+\n\Z"
)
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"))
_MARKS_16 = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CONTROL = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27}) + b"\x7f"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, or in `skipped` why there is none (a value of domain/reason.py, detail after a colon)."""

    source: bytes = b""  # UTF-8
    encoding: str = "utf-8"
    warnings: tuple[str, ...] = ()
    skipped: str = ""


def decode(mode: int, content: bytes, rules: ContentRules) -> Decoded:
    """UTF-8 files keep their own bytes, byte order mark and line ends included; others are transcoded."""
    if mode == Mode.SUBMODULE:
        return Decoded(skipped=reason.SUBMODULE)
    if mode == Mode.SYMLINK:
        return Decoded(skipped=reason.SYMLINK)
    if is_lfs_pointer(content):
        return Decoded(skipped=reason.LFS_POINTER)
    encoding = sniff_encoding(content)
    if encoding is None:
        return Decoded(skipped=reason.BINARY)
    if len(content) > rules.max_bytes:
        return Decoded(skipped=f"{reason.TOO_LARGE}: {len(content)} bytes, the limit is {rules.max_bytes}")
    return _utf8(content) if encoding == "utf-8" else _transcoded(content, encoding)


def is_lfs_pointer(content: bytes) -> bool:
    """Exactly a Git LFS pointer: its version line first, then sorted keys with oid and size, nothing else."""
    return len(content) <= _LFS_LIMIT and _LFS.match(content) is not None


def sniff_encoding(content: bytes) -> str | None:
    """utf-8, utf-16-le, utf-16-be, utf-32-le or utf-32-be; None for binary content."""
    for mark, encoding in (*_MARKS, *_MARKS_16):
        if content.startswith(mark):
            return "utf-8" if encoding == "utf-8-sig" else encoding
    head = content[:_SNIFFED]
    if b"\0" in content and not _is_text_with_zeros(content):
        return _unmarked_utf16(head) if b"\0" in head else None
    control = len(head) - len(head.translate(None, _CONTROL))
    return None if control * 10 > len(head) else "utf-8"


def _is_text_with_zeros(content: bytes) -> bool:
    """Lines of UTF-8 that hold a few zeros, as strings of programs do, and no other byte that text has not."""
    zeros = content.count(0)
    if zeros > _MOST_ZEROS or zeros * _BYTES_A_ZERO > len(content) or b"\n" not in content:
        return False
    if len(content) - len(content.translate(None, _CONTROL)) > zeros:
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 of mostly Latin text shows zeros in nearly every other byte and none in the rest."""
    half = len(head) // 2
    if half < 2:
        return None
    even, odd = head[0 : 2 * half : 2], head[1 : 2 * half : 2]
    for zeros, letters, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros.count(0) * 10 >= half * 7 and letters.count(0) == 0:
            control = len(letters) - len(letters.translate(None, _CONTROL))
            return encoding if control * 20 <= half else None
    return None


def _utf8(content: bytes) -> Decoded:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        warning = f"not valid UTF-8 from line {line} on: bad bytes are shown as U+FFFD"
        return Decoded(content.decode("utf-8", "replace").encode("utf-8"), "utf-8", (warning,))
    zeros = content.count(0)
    return Decoded(content, warnings=(f"holds {zeros} NUL characters",) if zeros else ())


def _transcoded(content: bytes, encoding: str) -> Decoded:
    text = content.decode(encoding, "replace")
    warnings = (f"not valid {encoding}: bad units are shown as U+FFFD",) if "\ufffd" in text else ()
    return Decoded(text.removeprefix("\ufeff").encode("utf-8", "replace"), encoding, warnings)
