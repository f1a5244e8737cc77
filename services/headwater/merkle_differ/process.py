"""Pure decisions of the differ: what a received commit asks for, and which events that gives."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from headwater.domain.merkle import EntryChange
from headwater.domain.tree import TreeEntry
from headwater.domain.view import ViewKey, ViewState
from headwater.events import CommitReceived, FileChanged, Lane


class Delete(msgspec.Struct, frozen=True):
    """The ref is gone."""


class Open(msgspec.Struct, frozen=True):
    """The ref is at a commit that has no generation yet; `base` is the newest opened one (0: none)."""

    base: int


class Resume(msgspec.Struct, frozen=True):
    """The commit's generation is open already: whatever it still waits for is sent again."""

    generation: int


Decision = Delete | Open | Resume | None


def latest_by_view(batch: Sequence[CommitReceived]) -> list[CommitReceived]:
    """Superseded heads of one ref coalesce; repairs of the same ref keep their paths together."""
    latest: dict[ViewKey, CommitReceived] = {}
    for event in batch:
        view = ViewKey(event.repo, event.ref)
        former = latest.pop(view, None)
        paths = tuple(dict.fromkeys((former.paths if former else ()) + event.paths))
        latest[view] = msgspec.structs.replace(event, paths=paths)
    return list(latest.values())


def decide(state: ViewState | None, head: str | None, rules: str = "") -> Decision:
    """What to do for a view whose ref is at `head` now (None: deleted) and whose files are treated by `rules`.

    Events only say that something happened; the ref itself says what, so lost, repeated and reordered events
    all end at the same state.
    """
    live = state is not None and not state.deleted
    if head is None:
        return Delete() if live else None
    if state is None or not live:
        return Open(state.opened if state else 0)
    same = state.opened_commit == head and state.opened_rules == rules
    return Resume(state.opened) if same else Open(state.opened)


def lane_for(files: int, first: bool, bulk_from: int) -> Lane:
    """A first index and any change of at least `bulk_from` files go to the bulk lane."""
    return Lane.BULK if first or files >= bulk_from else Lane.LIVE


def grown_over(held: int, changes: Iterable[EntryChange], most: int) -> bool:
    """Whether a view of `held` entries has more than `most` after these changes; one that doesn't grow never has."""
    grows = sum((c.new is not None) - (c.old is not None) for c in changes)
    return grows > 0 and held + grows > most


def file_events(
    event: CommitReceived,
    generation: int,
    entries: Mapping[str, TreeEntry],
    changes: Iterable[EntryChange],
    lane: Lane,
    variant: Callable[[str], str],
) -> Iterable[FileChanged]:
    """One event, without content, for each path of `entries` in path order.

    `changes` are those whose former content was treated the same way: only then its chunks are there already.
    """
    former = {c.path: c.old.oid for c in changes if c.old is not None and c.old != c.new}
    for path in sorted(entries):
        entry = entries[path]
        yield FileChanged(
            repo=event.repo,
            ref=event.ref,
            generation=generation,
            path=path,
            mode=entry.mode,
            blob=entry.oid,
            old_blob=former.get(path, ""),
            pushed_at=event.pushed_at,
            lane=lane,
            variant=variant(path),
        )
