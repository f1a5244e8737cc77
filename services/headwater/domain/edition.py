"""Editions of the index, each complete under one pipeline version, and the rules by which one replaces another."""

from collections.abc import Callable
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from headwater.domain.version import PipelineVersion


class Phase(StrEnum):
    """Where an edition is in its life."""

    STARTING = "starting"  # being laid out; takes no writes yet
    BUILDING = "building"  # the shadow: takes every write, answers nobody
    LIVE = "live"
    RETAINED = "retained"  # was live; takes every write, so that one can go back to it
    RELEASING = "releasing"  # being dropped: there is no way back
    RELEASED = "released"


WRITTEN = frozenset({Phase.BUILDING, Phase.LIVE, Phase.RETAINED})


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """What the evaluation said of a shadow. `figures` by slice and metric: the live edition's and the shadow's."""

    passed: bool
    at: float
    questions: int
    falls: tuple[str, ...] = ()
    figures: dict[str, dict[str, tuple[float, float]]] = {}


class Note(msgspec.Struct, frozen=True):
    """What was done to an edition, epoch seconds, and why where a reason was given."""

    at: float
    what: str
    reason: str = ""


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers count from 1 and are never given twice. `source` says where its model is to be had."""

    number: int
    version: PipelineVersion
    phase: Phase
    source: dict[str, str] = {}
    gate: Gate | None = None
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return f"index {self.number} ({self.version})"


class RolloutRefusedError(Exception):
    """The step isn't allowed now; the message says what to do instead."""


class Editions(msgspec.Struct, frozen=True):
    """Every edition there has been. At most one is live and at most one other isn't released."""

    rows: tuple[Edition, ...] = ()

    @property
    def live(self) -> Edition | None:
        return next((e for e in self.rows if e.phase is Phase.LIVE), None)

    @property
    def other(self) -> Edition | None:
        """The one that is coming or going."""
        return next((e for e in self.rows if e.phase not in (Phase.LIVE, Phase.RELEASED)), None)

    @property
    def written(self) -> tuple[Edition, ...]:
        """Those that take writes, the live one first."""
        return tuple(sorted((e for e in self.rows if e.phase in WRITTEN), key=lambda e: e.phase is not Phase.LIVE))

    def get(self, number: int) -> Edition | None:
        return next((e for e in self.rows if e.number == number), None)

    def changed(self, number: int, change: Callable[[Edition], Edition]) -> "Editions":
        return Editions(tuple(change(e) if e.number == number else e for e in self.rows))


Change = Callable[[Editions], Editions]


def adopt(version: PipelineVersion, source: dict[str, str], now: float) -> Change:
    """The index that is there becomes the first edition, unless there is one."""
    first = Edition(number=1, version=version, phase=Phase.LIVE, source=source, notes=(Note(now, "live"),))
    return lambda editions: editions if editions.rows else Editions((first,))


def start(version: PipelineVersion, source: dict[str, str], now: float) -> Change:
    """A new edition, to be laid out; one of the same version that is under way is gone on with."""

    def change(editions: Editions) -> Editions:
        live, other = editions.live, editions.other
        if live is None:
            raise RolloutRefusedError("nothing is indexed yet: index a repository first")
        if version == live.version:
            raise RolloutRefusedError(f"{live} is live already: name another model, dimension or chunker")
        if other is not None:
            if other.version == version and other.phase in (Phase.STARTING, Phase.BUILDING):
                return editions
            raise RolloutRefusedError(f"{other} is {other.phase}: 'headwater rollout release' drops it")
        number = 1 + max(e.number for e in editions.rows)
        made = Edition(
            number=number, version=version, phase=Phase.STARTING, source=source, notes=(Note(now, "started"),)
        )
        return Editions((*editions.rows, made))

    return change


def laid_out(number: int) -> Change:
    """Its stores are there: from now on it takes writes."""

    def change(editions: Editions) -> Editions:
        edition = editions.get(number)
        if edition is None or edition.phase not in (Phase.STARTING, Phase.BUILDING):
            raise RolloutRefusedError(f"index {number} is no longer being started: it was released meanwhile")
        return editions.changed(number, lambda e: replace(e, phase=Phase.BUILDING))

    return change


def gated(number: int, gate: Gate) -> Change:
    """Keep the evaluation's result with the shadow."""

    def change(editions: Editions) -> Editions:
        shadow = _shadow(editions)
        if shadow.number != number:
            raise RolloutRefusedError(f"index {number} is no longer being built: run the gate again")
        what = "gate passed" if gate.passed else "gate failed"
        return editions.changed(number, lambda e: _noted(replace(e, gate=gate), gate.at, what, "; ".join(gate.falls)))

    return change


def cut_over(force: str, now: float) -> Change:
    """The shadow answers from now on. `force` is the reason for doing so without a passed gate, "" for none."""

    def change(editions: Editions) -> Editions:
        shadow = _shadow(editions)
        if not force and (shadow.gate is None or not shadow.gate.passed):
            found = "has not been run" if shadow.gate is None else f"failed: {'; '.join(shadow.gate.falls)}"
            raise RolloutRefusedError(
                f"the gate of {shadow} {found}: run 'headwater rollout gate --golden FILE', or give --force REASON"
            )
        return _swapped(editions, Phase.RETAINED, now, "cut over", force)

    return change


def roll_back(now: float) -> Change:
    """The former edition answers again; the other one is a shadow as before, to be gated anew."""

    def change(editions: Editions) -> Editions:
        other = editions.other
        if other is None or other.phase is not Phase.RETAINED:
            raise RolloutRefusedError("no former index is retained: there is nothing to go back to")
        swapped = _swapped(editions, Phase.BUILDING, now, "rolled back", "")
        return Editions(tuple(replace(e, gate=None) if e.phase is Phase.BUILDING else e for e in swapped.rows))

    return change


def release(now: float) -> Change:
    """The edition that isn't live is to be dropped; to be followed by `released`."""

    def change(editions: Editions) -> Editions:
        other = editions.other
        if other is None:
            raise RolloutRefusedError("there is no other index than the live one: nothing to release")
        if other.phase is Phase.RELEASING:
            return editions
        return editions.changed(other.number, lambda e: _noted(replace(e, phase=Phase.RELEASING), now, "release", ""))

    return change


def released(number: int) -> Change:
    """Nothing is left of it."""

    def change(editions: Editions) -> Editions:
        edition = editions.get(number)
        if edition is None or edition.phase is not Phase.RELEASING:
            return editions
        return editions.changed(number, lambda e: replace(e, phase=Phase.RELEASED))

    return change


def _shadow(editions: Editions) -> Edition:
    other = editions.other
    if other is None or other.phase is not Phase.BUILDING:
        found = "no other index" if other is None else f"{other}, which is {other.phase}"
        raise RolloutRefusedError(f"no index is being built (there is {found}): 'headwater rollout start' begins one")
    return other


def _swapped(editions: Editions, live_becomes: Phase, now: float, what: str, reason: str) -> Editions:
    live, other = editions.live, editions.other
    assert live is not None
    assert other is not None
    after = editions.changed(live.number, lambda e: replace(e, phase=live_becomes))
    return after.changed(other.number, lambda e: _noted(replace(e, phase=Phase.LIVE), now, what, reason))


def _noted(edition: Edition, at: float, what: str, reason: str) -> Edition:
    return replace(edition, notes=(*edition.notes, Note(at, what, reason)))
