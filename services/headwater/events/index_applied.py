"""An index has durably applied a part of a generation."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

import msgspec

from headwater.events.lane import Lane


class Index(StrEnum):
    """The two sides of the index."""

    LEXICAL = "lexical"
    VECTOR = "vector"


class IndexApplied(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by both sinks and by merkle-differ for a generation that needs no work; keyed by repository."""

    index: Index
    repo: str
    ref: str
    generation: int
    items: tuple[str, ...] = ()  # document keys (lexical) or content hashes (vector)
    pushed_at: float
    lane: Lane = Lane.LIVE


class OfGeneration(Protocol):
    """What every event of a view's generation carries."""

    @property
    def repo(self) -> str: ...

    @property
    def ref(self) -> str: ...

    @property
    def generation(self) -> int: ...

    @property
    def pushed_at(self) -> float: ...

    @property
    def lane(self) -> Lane: ...


Of = TypeVar("Of", bound=OfGeneration)


def acknowledge(batch: Sequence[Of], index: Index, item: Callable[[Of], str]) -> Iterator[IndexApplied]:
    """One event for each view generation of an applied batch; `item` names what was applied."""
    generations: dict[tuple[str, str, int], list[Of]] = {}
    for event in batch:
        generations.setdefault((event.repo, event.ref, event.generation), []).append(event)
    for (repo, ref, generation), events in generations.items():
        yield IndexApplied(
            index=index,
            repo=repo,
            ref=ref,
            generation=generation,
            items=tuple(item(event) for event in events),
            pushed_at=min(event.pushed_at for event in events),
            lane=events[0].lane,
        )
