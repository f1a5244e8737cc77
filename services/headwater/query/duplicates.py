"""Folds near-equal code into its best-ranked copy, and counts what was folded."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import msgspec

SIMILARITY = 0.8  # Jaccard over the sets of non-blank lines

Item = TypeVar("Item")


class Folded(msgspec.Struct, frozen=True):
    """Index of a kept item and how many later ones it stands for."""

    index: int
    duplicates: int


def fold_duplicates(
    items: Sequence[Item], group: Callable[[Item], Hashable], text: Callable[[Item], str]
) -> list[Folded]:
    """Keep the first of each set of near-equal items, in order.

    Only items of one `group` (say, the same symbol name) are compared, so `text` is asked for few of them.
    """
    groups: dict[Hashable, list[int]] = {}
    for i, item in enumerate(items):
        groups.setdefault(group(item), []).append(i)
    counts = dict.fromkeys(range(len(items)), 0)
    for members in groups.values():
        if len(members) > 1:
            _fold_group(members, [_lines(text(items[i])) for i in members], counts)
    return [Folded(i, counts[i]) for i in sorted(counts)]


def _fold_group(members: list[int], lines: list[frozenset[str]], counts: dict[int, int]) -> None:
    kept: list[int] = []
    for at, member in enumerate(members):
        twin = next((k for k in kept if _similar(lines[k], lines[at])), None)
        if twin is None:
            kept.append(at)
            continue
        del counts[member]
        counts[members[twin]] += 1


def _lines(text: str) -> frozenset[str]:
    return frozenset(stripped for line in text.splitlines() if (stripped := line.strip()))


def _similar(a: frozenset[str], b: frozenset[str]) -> bool:
    if not a or not b:
        return False
    return len(a & b) >= SIMILARITY * len(a | b)
