"""Git paths are bytes; this is their one-to-one spelling as text that JSON, SQL and protobuf all carry."""

_PRIVATE = 0xEF00  # byte 0x80..0xFF that is not UTF-8 <-> U+EF80..U+EFFF; below them are those of domain/tree_object.py
_LOW, _HIGH = chr(_PRIVATE), chr(_PRIVATE + 0xFF)


def path_from_git(raw: bytes) -> str:
    """Decode a git path. Bytes that are not UTF-8 become U+EF80..U+EFFF, so that every path has one spelling."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    else:
        if not any(_LOW <= c <= _HIGH for c in text):
            return text
    out: list[str] = []
    for c in raw.decode("utf-8", "surrogateescape"):
        if "\udc80" <= c <= "\udcff":
            out.append(chr(_PRIVATE + ord(c) - 0xDC00))
        elif (
            _LOW <= c <= _HIGH
        ):  # a genuine U+EF00..U+EFFF is escaped byte by byte, else two paths would share a spelling
            out.extend(chr(_PRIVATE + b) for b in c.encode("utf-8"))
        else:
            out.append(c)
    return "".join(out)


def path_to_git(path: str) -> bytes:
    """The inverse of `path_from_git`."""
    if not any(_LOW <= c <= _HIGH for c in path):
        return path.encode("utf-8")
    return b"".join(bytes([ord(c) - _PRIVATE]) if _LOW <= c <= _HIGH else c.encode("utf-8") for c in path)
