"""How a branch's wanted entries become rows over its base: only what differs from the base is written."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from headwater.domain.tree import TreeEntry
from headwater.stores.relational.manifest_plan import Directory, ManifestPlan, ManifestRow

Place = tuple[str, str]  # directory, name
NOTHING = 0  # the mode of a row that hides the base's


class OverlayRows(msgspec.Struct, frozen=True):
    """`closed` are ids of own rows; `opened` gives the entry at a place, None where the base's is hidden."""

    closed: tuple[int, ...]
    opened: Mapping[Place, TreeEntry | None]


def effective(base: Directory, own: Directory) -> Directory:
    """What a directory shows when own rows lie over those of the base."""
    return {name: row for name, row in {**base, **own}.items() if row.entry.mode != NOTHING}


def plan_overlay(
    plan: ManifestPlan,
    keys: Mapping[str, str],
    base: Callable[[str], Directory],
    own: Callable[[str], Directory],
    held: Iterable[Place] = (),
) -> OverlayRows:
    """`plan` says what shall be where; `keys` gives a leaf's document by path. At places `held` but not in the plan,
    what the base shows shall be there."""
    wanted: dict[Place, TreeEntry | None] = dict.fromkeys(plan.emptied)
    wanted |= {(o.directory, o.entry.name): o.entry for o in plan.opened}
    closed: list[int] = []
    opened: dict[Place, TreeEntry | None] = {}
    for place, entry in wanted.items():
        directory, name = place
        path = f"{directory}/{name}" if directory else name
        was, under = own(directory).get(name), base(directory).get(name)
        needed = under is not None if entry is None else not _shows(under, entry, keys.get(path))
        if was is not None and needed and _shows(was, entry, keys.get(path)):
            continue
        if was is not None:
            closed.append(was.id)
        if needed:
            opened[place] = entry
    for directory, name in held:
        if (directory, name) not in wanted:
            closed.append(own(directory)[name].id)
    return OverlayRows(tuple(closed), opened)


def _shows(row: ManifestRow | None, entry: TreeEntry | None, key: str | None) -> bool:
    if row is None:
        return False
    if entry is None:
        return row.entry.mode == NOTHING
    return row.entry == entry and (not entry.is_file or row.key == key)
