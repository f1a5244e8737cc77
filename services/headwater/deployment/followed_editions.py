"""Ref updates go to every edition that takes writes: each has its topics, and its own catalog says what it lacks."""

import logging
import threading
from collections.abc import Callable, Sequence

import msgspec

from headwater.commit_ingest.poller import Poller
from headwater.domain.edition import Edition, Phase
from headwater.events import CommitReceived
from headwater.rollout.sharing import share_repositories
from headwater.stores.catalog import Catalog, CatalogUnavailableError, VersionMismatchError
from headwater.stores.edition_registry import EditionRegistry
from headwater.streaming.kafka import DeliveryError
from headwater.streaming.ref_updates import Publish

log = logging.getLogger("headwater")


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """One edition as commit-ingest sees it."""

    catalog: Catalog
    publish: Publish
    poller: Poller


class FollowedEditions:
    """Safe to use from several threads. The live edition decides whether something is taken; others catch up."""

    def __init__(self, registry: EditionRegistry, follow: Callable[[Edition], Followed]) -> None:
        self._registry, self._follow = registry, follow
        self._open: dict[int, Followed] = {}
        self._lock = threading.Lock()

    def publish(self, events: Sequence[CommitReceived]) -> None:
        """Raises InvalidEventError, DeliveryError, CatalogUnavailableError, as the live edition's does."""
        live, *others = self.current()
        live.publish(events)
        for other in others:
            self._tried("ref updates", lambda other=other: other.publish(events))  # type: ignore[misc]

    def look(self) -> None:
        """Every poller once. Raises DeliveryError, CatalogUnavailableError for the live edition's."""
        live, *others = self.current()
        live.poller.look()
        for other in others:
            self._tried("look", lambda other=other: self._look(live, other))  # type: ignore[misc]

    def current(self) -> list[Followed]:
        """The live edition first; one that is released is let go.

        Raises CatalogUnavailableError, VersionMismatchError for the live one.
        """
        written = self._registry.read().written
        with self._lock:
            for number in self._open.keys() - {e.number for e in written}:
                self._open.pop(number).catalog.close()
            for edition in written:
                if edition.number not in self._open:
                    self._begin(edition)
            return [self._open[edition.number] for edition in written if edition.number in self._open]

    def close(self) -> None:
        with self._lock:
            while self._open:
                self._open.popitem()[1].catalog.close()

    def _begin(self, edition: Edition) -> None:
        """A shadow of a program that stores otherwise is not ours to write to, nor a reason to stop."""
        try:
            self._open[edition.number] = self._follow(edition)
        except (VersionMismatchError, CatalogUnavailableError) as error:
            if edition.phase is Phase.LIVE:
                raise
            log.warning("%s takes no writes from here: %s", edition, error)

    def _look(self, live: Followed, other: Followed) -> None:
        share_repositories(live.catalog, other.catalog)
        other.poller.look()

    def _tried(self, what: str, work: Callable[[], object]) -> None:
        try:
            work()
        except (DeliveryError, CatalogUnavailableError) as error:
            log.warning("no %s to the index that isn't live, its next look catches up: %s", what, error)
