"""The steps of a rollout on any kind of stores: each is a change of one row, with repeatable work around it."""

import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from headwater.domain import edition as steps
from headwater.domain.edition import Edition, Editions, Gate, Phase, RolloutRefusedError
from headwater.domain.version import PipelineVersion
from headwater.rollout.coverage import Coverage, behind, coverage
from headwater.stores.catalog import Catalog
from headwater.stores.edition_registry import EditionRegistry

POLL_S = 0.5


class EditionStores(Protocol):
    """What an installation keeps for its editions. Every method may be repeated, also after a crash in its middle."""

    def lay_out(self, edition: Edition, live: Edition) -> None:
        """Make the stores of a new edition, with the live one's repositories."""
        ...

    def follow(self, live: Edition) -> None:
        """Bring what only points to the live edition in line with the row."""
        ...

    def drop(self, edition: Edition) -> None:
        """Remove everything that is kept for it."""
        ...

    def catalog(self, edition: Edition) -> Catalog:
        """Open until the stores are closed."""
        ...

    def vectors(self, edition: Edition) -> int:
        """Rows. Raises VectorsUnavailableError."""
        ...


class EditionStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One edition; `coverage` compares one that isn't live with the live one."""

    edition: Edition
    vectors: int
    coverage: Coverage | None = None


class Rollout:
    """One for a command. Raises RolloutRefusedError, CatalogUnavailableError, VectorsUnavailableError."""

    def __init__(
        self,
        registry: EditionRegistry,
        stores: EditionStores,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._registry, self._stores, self._clock, self._sleep = registry, stores, clock, sleep

    def start(self, version: PipelineVersion, source: dict[str, str]) -> Edition:
        """The shadow, laid out and taking writes from now on; repeated, it goes on where it was."""
        editions = self._registry.change(steps.start(version, source, self._clock()))
        live, shadow = _live(editions), editions.other
        assert shadow is not None
        self._stores.lay_out(shadow, live)
        return _numbered(self._registry.change(steps.laid_out(shadow.number)), shadow.number)

    def record(self, number: int, gate: Gate) -> None:
        self._registry.change(steps.gated(number, gate))

    def cut_over(self, force: str = "", wait_s: float = 0.0) -> Edition:
        """The shadow answers from now on; the former edition is retained and goes on taking writes."""
        return self._swap(steps.cut_over(force, self._clock()), wait_s)

    def roll_back(self, wait_s: float = 0.0) -> Edition:
        """The retained edition answers again."""
        return self._swap(steps.roll_back(self._clock()), wait_s)

    def release(self) -> Edition:
        """Drop the edition that isn't live."""
        editions = self._registry.change(steps.release(self._clock()))
        going = editions.other
        assert going is not None
        self._stores.drop(going)
        return _numbered(self._registry.change(steps.released(going.number)), going.number)

    def status(self) -> list[EditionStatus]:
        """Every edition that isn't released, the live one first."""
        editions = self._registry.read()
        live, other = editions.live, editions.other
        if live is None:
            return []
        found = [EditionStatus(edition=live, vectors=self._stores.vectors(live))]
        if other is not None and other.phase not in (Phase.STARTING, Phase.RELEASING):
            compared = self._compared(live, other)
            found.append(EditionStatus(edition=other, vectors=self._stores.vectors(other), coverage=compared))
        elif other is not None:
            found.append(EditionStatus(edition=other, vectors=0))
        return found

    def follow(self) -> None:
        """What a crash between the row and what points to it has left open."""
        live = self._registry.read().live
        if live is not None:
            self._stores.follow(live)

    def _swap(self, step: steps.Change, wait_s: float) -> Edition:
        """Refused first for what the row says, then for what the catalogs say; the row decides again at the end."""
        before = self._registry.read()
        step(before)
        self._await_covered(before, wait_s)
        live = _live(self._registry.change(step))
        self._stores.follow(live)
        return live

    def _await_covered(self, editions: Editions, wait_s: float) -> None:
        """What the live edition shows now; later pushes go to both, so that waiting ends however many there are."""
        live, other = _live(editions), editions.other
        assert other is not None
        shown = self._stores.catalog(live).views()
        deadline = self._clock() + wait_s
        while late := behind(shown, self._stores.catalog(other).views()):
            if self._clock() >= deadline:
                names = ", ".join(f"{state.view.repo} {state.view.ref}" for state in late[:3])
                raise RolloutRefusedError(
                    f"{other} is behind in {len(late)} of {len(shown)} views ({names}): nothing may get lost,"
                    " so repeat this step once 'headwater rollout status' shows that it has caught up"
                )
            self._sleep(POLL_S)

    def _compared(self, live: Edition, other: Edition) -> Coverage:
        return coverage(self._stores.catalog(live), self._stores.catalog(other), self._clock())


def _live(editions: Editions) -> Edition:
    if editions.live is None:
        raise RolloutRefusedError("nothing is indexed yet: index a repository first")
    return editions.live


def _numbered(editions: Editions, number: int) -> Edition:
    found = editions.get(number)
    assert found is not None
    return found
