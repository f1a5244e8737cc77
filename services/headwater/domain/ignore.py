"""Ignore rules exactly like git's: the last matching pattern of the deepest file wins, and nothing brings back what
lies in an ignored folder."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from headwater.domain.path import path_to_git
from headwater.domain.wildmatch import wildmatch_regex

IGNORE_FILE = ".headwaterignore"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

ReadIgnoreFile = Callable[[str], bytes | None]  # the ignore file of a folder ("" for the root), None if it has none


class IgnorePattern(msgspec.Struct, frozen=True):
    """One line of an ignore file. `name_only`: it is compared with the last name, else with the whole path."""

    regex: "re.Pattern[bytes]"
    excludes: bool
    folders_only: bool
    name_only: bool

    def matches(self, path: bytes, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        return self.regex.fullmatch(path.rpartition(b"/")[2] if self.name_only else path) is not None


@lru_cache(maxsize=256)
def parse_patterns(content: bytes) -> tuple[IgnorePattern, ...]:
    """The patterns of an ignore file, in order."""
    lines = content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    stripped = (_trimmed(line.removesuffix(b"\r")) for line in lines if line and not line.startswith(b"#"))
    return tuple(_pattern(line) for line in stripped if line)


def _trimmed(line: bytes) -> bytes:
    """Without spaces at the end, except the one after a backslash."""
    end, i = len(line), 0
    spaces = -1
    while i < end:
        if line[i] == ord(" "):
            spaces = i if spaces < 0 else spaces
        else:
            i += line[i] == ord("\\")
            if i >= end:
                return line
            spaces = -1
        i += 1
    return line if spaces < 0 else line[:spaces]


def _pattern(line: bytes) -> IgnorePattern:
    excludes = not line.startswith(b"!")
    body = line if excludes else line[1:]
    folders_only = body.endswith(b"/")
    body = body[:-1] if folders_only else body
    name_only = b"/" not in body
    source = wildmatch_regex(body if name_only else body.removeprefix(b"/"))
    return IgnorePattern(re.compile(source, re.DOTALL), excludes, folders_only, name_only)


class IgnoreRules:
    """One tree's rules: its ignore files under a list of patterns for all repositories. Remembers each folder once."""

    def __init__(self, everywhere: Iterable[str], read: ReadIgnoreFile) -> None:
        """`everywhere` has the lowest precedence."""
        self._everywhere = parse_patterns("\n".join(everywhere).encode())
        self._read = read
        self._files: dict[bytes, tuple[IgnorePattern, ...]] = {}
        self._folders: dict[bytes, bool] = {b"": False}

    def ignores(self, path: str) -> bool:
        """Whether the file at this path is ignored. Raises what `read` raises."""
        raw = path_to_git(path)
        return self._ignores_folder(raw.rpartition(b"/")[0], path.rpartition("/")[0]) or self._decides(raw, False, path)

    def _ignores_folder(self, raw: bytes, path: str) -> bool:
        unknown = []
        while raw not in self._folders:
            unknown.append((raw, path))
            raw, path = raw.rpartition(b"/")[0], path.rpartition("/")[0]
        ignored = self._folders[raw]
        for raw, path in reversed(unknown):  # what lies in an ignored folder is ignored
            ignored = ignored or self._decides(raw, True, path)
            self._folders[raw] = ignored
        return ignored

    def _decides(self, raw: bytes, is_folder: bool, path: str) -> bool:
        folder, place = raw.rpartition(b"/")[0], path.rpartition("/")[0]
        while True:
            relative = raw[len(folder) + 1 :] if folder else raw
            if (found := _last(self._patterns(folder, place), relative, is_folder)) is not None:
                return found
            if not folder:
                return bool(_last(self._everywhere, raw, is_folder))
            folder, place = folder.rpartition(b"/")[0], place.rpartition("/")[0]

    def _patterns(self, folder: bytes, place: str) -> tuple[IgnorePattern, ...]:
        if folder not in self._files:
            content = self._read(place)
            self._files[folder] = () if content is None else parse_patterns(content)
        return self._files[folder]


def _last(patterns: tuple[IgnorePattern, ...], path: bytes, is_folder: bool) -> bool | None:
    """What the last pattern that matches says, None if none does."""
    return next((p.excludes for p in reversed(patterns) if p.matches(path, is_folder)), None)


def selects(patterns: tuple[IgnorePattern, ...], path: str) -> bool:
    """Whether the last pattern that matches the path, or else a folder around it, takes it."""
    raw, is_folder = path_to_git(path), False
    while raw:
        found = _last(patterns, raw, is_folder)
        if found is not None:
            return found
        raw, is_folder = raw.rpartition(b"/")[0], True
    return False
