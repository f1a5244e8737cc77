"""A repository's objects: packs are read by libgit2, loose ones here, since it spins for ever on one cut off."""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from headwater.limits import count_reached, limits

_LOOSE, _PACKED = 2, 1  # priorities, as libgit2's own
_HEADER = re.compile(rb"(commit|tree|blob|tag) (\d{1,18})\0")
_HEADER_BYTES = 64
_DEEPEST = 5  # alternates of alternates, as git
_KINDS = {
    kind.name.lower().encode(): kind for kind in (ObjectType.COMMIT, ObjectType.TREE, ObjectType.BLOB, ObjectType.TAG)
}


def object_database(folder: Path, *further: Path) -> pygit2.Odb:
    """Of a repository's folder of objects, those that it borrows from, and `further` ones."""
    database = pygit2.Odb()
    for objects in (*_borrowed(folder), *further):
        database.add_backend(LooseObjects(objects), _LOOSE)
        database.add_backend(pygit2.OdbBackendPack(str(objects)), _PACKED)
    return database


class LooseObjects(pygit2.OdbBackend):
    """One folder of loose objects. What can't be read whole raises GitError, an absent one KeyError."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        return _read(self._file(str(oid)))

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        kind, size, _, _ = _begun(self._file(str(oid)))
        return kind, size

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        return self._file(str(oid)).is_file()

    def read_prefix_cb(self, prefix: str) -> tuple[int, bytes, pygit2.Oid]:
        oid = self.exists_prefix_cb(prefix)
        return (*self.read_cb(oid), oid)

    def exists_prefix_cb(self, prefix: str) -> pygit2.Oid:
        """Raises KeyError for none, ValueError for several."""
        rest = prefix[2:]
        found = [name for name in _names(self._folder / prefix[:2]) if name.startswith(rest)]
        if len(found) != 1:
            raise (ValueError if found else KeyError)(prefix)
        return pygit2.Oid(hex=prefix[:2] + found[0])

    def refresh_cb(self) -> None:
        """Nothing is remembered."""

    def __iter__(self) -> Iterator[pygit2.Oid]:
        for part in (f"{number:02x}" for number in range(256)):
            yield from (pygit2.Oid(hex=part + name) for name in _names(self._folder / part))

    def _file(self, oid: str) -> Path:
        return self._folder / oid[:2] / oid[2:]


def _names(folder: Path) -> list[str]:
    try:
        return [file.name for file in folder.iterdir() if re.fullmatch("[0-9a-f]{38}", file.name)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _read(file: Path) -> tuple[int, bytes]:
    kind, size, first, inflate = _begun(file)
    if size > (most := limits().object_bytes):
        count_reached("object_bytes")
        raise pygit2.GitError(f"it has {size} bytes, over the limit of {most}")
    try:
        content = first + inflate.decompress(inflate.unconsumed_tail, max(1, size - len(first) + 1))
    except zlib.error as error:
        raise pygit2.GitError(f"loose object {file.parent.name}{file.name} is damaged: {error}") from error
    if len(content) != size:
        raise pygit2.GitError(f"loose object {file.parent.name}{file.name} is cut off")
    return kind, content


def _begun(file: Path) -> "tuple[int, int, bytes, zlib._Decompress]":
    """Kind, size, the first bytes, and what has the rest."""
    inflate = zlib.decompressobj()
    try:
        head = inflate.decompress(file.read_bytes(), _HEADER_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise KeyError(f"{file.parent.name}{file.name}") from None
    except (OSError, zlib.error) as error:
        raise pygit2.GitError(f"loose object {file.parent.name}{file.name} is damaged: {error}") from error
    found = _HEADER.match(head)
    if found is None:
        raise pygit2.GitError(f"loose object {file.parent.name}{file.name} is damaged: it has no header")
    return int(_KINDS[found[1]]), int(found[2]), head[found.end() :], inflate


def _borrowed(folder: Path) -> list[Path]:
    """The folder, and those that `info/alternates` names, each once."""
    found, level = {folder.resolve(): None}, [folder.resolve()]
    for _ in range(_DEEPEST):
        named = [place for objects in level for place in _alternates(objects) if place not in found]
        found |= dict.fromkeys(named)
        level = named
    return list(found)


def _alternates(objects: Path) -> list[Path]:
    try:
        lines = (objects / "info/alternates").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return []
    places = [(objects / line).resolve() for line in lines if line and not line.startswith("#")]
    return [place for place in places if place.is_dir()]
