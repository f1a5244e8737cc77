"""The safety net: looks at every followed ref again and again, so that no lost notice loses a push."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from headwater.commit_ingest.process import followed, known_heads, moved, with_head
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewKey
from headwater.events import CommitReceived
from headwater.stores.catalog import Catalog, Repository
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.streaming.ref_updates import Publish

log = logging.getLogger("headwater")


class Refs(Protocol):
    def refs(self) -> Mapping[str, str]:
        """Full name to commit id."""
        ...

    def default_ref(self) -> str | None:
        """The full name of the branch that HEAD names. Raises TreeUnreadableError."""
        ...

    def unreadable(self, refs: Iterable[str]) -> Mapping[str, str]:
        """Why, for those of these refs that are there and name no commit that can be read."""
        ...


class Poller:
    """What the differ has opened is known from the catalog; what was told it lately isn't told it again so soon."""

    def __init__(
        self,
        catalog: Catalog,
        open_repository: Callable[[str], Refs],
        publish: Publish,
        patterns: Iterable[str],
        clock: Callable[[], float] = time.time,
        again_s: float = 60.0,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` gives the time that events bear, `steady` what tells how long ago one was told of."""
        self._catalog, self._open, self._publish = catalog, open_repository, publish
        self._patterns, self._clock, self._steady, self._again = tuple(patterns), clock, steady, again_s
        self._told: dict[ViewKey, tuple[str, float]] = {}

    def look(self) -> list[CommitReceived]:
        """Publish what moved, and give it. Raises DeliveryError, CatalogUnavailableError."""
        heads = {s.view: s.opened_commit for s in self._catalog.views() if not s.deleted}
        heads |= {view: refusal.commit for view, refusal in self._catalog.refusals().items()}
        events: list[CommitReceived] = []
        for repository in self._catalog.repositories():
            if not repository.paused:
                known = known_heads(heads.items(), repository.name)
                events += self._moved(repository, known)
        if events:
            self._publish(events)
        now = self._steady()
        self._told |= {ViewKey(e.repo, e.ref): (e.after, now) for e in events}
        return events

    def _moved(self, repository: Repository, known: Mapping[str, str]) -> list[CommitReceived]:
        try:
            opened = self._open(repository.name)
            refs = opened.refs()
            patterns = with_head(self._patterns, opened.default_ref)
        except (RepositoryUnreadableError, TreeUnreadableError) as error:
            log.warning("%s: %s; its last good state stays", repository.name, error)
            return []
        unreadable = opened.unreadable(known.keys() - refs.keys())
        for why in unreadable.values():
            log.warning("%s: %s; its last good state stays", repository.name, why)
        known = {ref: commit for ref, commit in known.items() if ref not in unreadable}
        current = {ref: refs[ref] for ref in refs if ref in known} | followed(refs, patterns)
        events = moved(repository.name, current, known, self._clock(), "poll")
        return [event for event in events if not self._told_lately(event)]

    def _told_lately(self, event: CommitReceived) -> bool:
        commit, at = self._told.get(ViewKey(event.repo, event.ref), (None, 0.0))
        return commit == event.after and self._steady() - at < self._again
