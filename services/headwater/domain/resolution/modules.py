"""Whether a module as written in an import names a given file."""

import re
from pathlib import PurePosixPath

_INDEX_STEMS = frozenset({"__init__", "index", "mod", "lib", "main"})
_SEPARATORS = re.compile(r"::|[./\\]+")
_SOURCE_SUFFIX = re.compile(r"\.(?:[cm]?[jt]sx?|d\.ts|py|h|hpp|hh|vue|rb|php|lua|sh)$")


def module_matches(module: str, importer: str, path: str, package: str = "") -> bool:
    """Whether `module`, imported in file `importer`, may be the file `path` or the package it belongs to.

    Relative modules (leading dots, ./ and ../) are followed; absolute ones must be a suffix of the file's own module
    path, whatever source root stands before it. `package` is the declared one of the file `path`.
    """
    if module.startswith(("./", "../", "/")) or module in (".", ".."):
        return _relative_path(module, importer) in _spellings(path)
    if module.startswith("."):
        return _relative_dots(module, importer) in _spellings(path)
    wanted = [p for p in _SEPARATORS.split(_SOURCE_SUFFIX.sub("", module)) if p and p not in ("crate", "self", "super")]
    if not wanted:
        return True
    if package and _ends_with(_SEPARATORS.split(package), wanted):
        return True
    return any(_ends_with(list(PurePosixPath(s).parts), wanted) for s in _spellings(path)) or _folder_is(path, wanted)


def _folder_is(path: str, wanted: list[str]) -> bool:
    """Go and Java import folders; a module prefix (host, organisation) may stand before what the tree shows."""
    folder = list(PurePosixPath(path).parent.parts)
    return bool(folder) and (_ends_with(folder, wanted) or _ends_with(wanted, folder))


def _spellings(path: str) -> set[str]:
    """A file as modules name it: without suffix, and its folder when it is the folder's index."""
    pure = PurePosixPath(path)
    plain = str(pure.with_suffix(""))
    spellings = {path, plain, plain.removesuffix(".d")}
    if pure.stem in _INDEX_STEMS:
        spellings.add(str(pure.parent))
    return spellings


def _relative_path(module: str, importer: str) -> str:
    parts = [] if module.startswith("/") else list(PurePosixPath(importer).parent.parts)
    for piece in _SOURCE_SUFFIX.sub("", module).split("/"):
        if piece == "..":
            parts = parts[:-1]
        elif piece not in ("", "."):
            parts.append(piece)
    return "/".join(parts) or "."


def _relative_dots(module: str, importer: str) -> str:
    """Python: one dot is the importer's package, each further one its parent."""
    rest = module.lstrip(".")
    parts = list(PurePosixPath(importer).parent.parts)
    up = len(module) - len(rest) - 1
    parts = parts[: len(parts) - up] if up else parts
    return "/".join([*parts, *(rest.split(".") if rest else [])]) or "."


def _ends_with(parts: list[str], tail: list[str]) -> bool:
    return len(tail) <= len(parts) and parts[len(parts) - len(tail) :] == tail
