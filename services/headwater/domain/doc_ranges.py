"""A chunk's documentation by reference: where its words stand in the file's text, instead of the words."""

from collections.abc import Sequence

Ranges = tuple[tuple[int, int], ...]


def ranges_of(doc: str, text: bytes, near: int) -> Ranges:
    """Byte ranges of `text` that hold the words of `doc` in order, preferably from `near` on.

    A word that the text has nowhere (put together from an escape or a tag) is left out.
    """
    found: list[tuple[int, int]] = []
    at = near
    for word in doc.split():
        raw = word.encode("utf-8", "surrogatepass")
        start = text.find(raw, at)
        if start < 0 and (start := text.find(raw)) < 0:
            continue
        at = start + len(raw)
        if found and text[found[-1][1] : start] == b" ":
            found[-1] = (found[-1][0], at)
        else:
            found.append((start, at))
    return tuple(found)


def doc_at(ranges: Sequence[tuple[int, int]], text: bytes) -> str:
    """What stands there, a blank between each two ranges."""
    return " ".join(text[start:end].decode("utf-8", "replace") for start, end in ranges)
