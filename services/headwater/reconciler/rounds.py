"""The reconciler's rounds: compares git host, catalog and vectors view by view, and sends what repairs a difference."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from headwater.domain.merkle import EntryChange, diff_leaves, diff_trees
from headwater.domain.tree import TreeTooLargeError, TreeUnreadableError
from headwater.domain.view import ViewKey, ViewState
from headwater.events import CommitReceived
from headwater.limits import limits, tree_bounds
from headwater.metrics import METRICS, Metrics
from headwater.reconciler.findings import MOST_PATHS, Finding, Patience
from headwater.reconciler.process import is_settled
from headwater.reconciler.vector_proof import compare_some, take_back
from headwater.stores.catalog import Catalog
from headwater.stores.git_source import GitObjects, GitSource
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.stores.index_reader import IndexReader
from headwater.stores.vector_store import VectorStore, VectorsUnavailableError

HELD_BACK = ("behind", "parked", "refused")  # the manifest is right, what it shows is just not there yet

log = logging.getLogger("headwater")


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared: `reader` and `catalog` are two sides of one store."""

    catalog: Catalog
    reader: IndexReader
    git: GitSource
    vectors: VectorStore


class Rounds:
    """One thread at a time."""

    def __init__(
        self,
        compared: Compared,
        settle: Callable[[ViewKey], object],
        publish: Callable[[Sequence[CommitReceived]], None],
        watermark: Callable[[], float],
        proof_s: float,
        metrics: Metrics = METRICS,
        answers: Callable[[], bool] = lambda: True,
    ) -> None:
        """`settle` publishes a view if it may be; `watermark` is that of the heartbeats; `answers` says whether the
        index is the live one: the lag of one that is still being built alarms nobody.

        Every leaf is proven once in `proof_s` seconds, roots and the next `proof_vectors` of the limits in each round.
        """
        self._of, self._settle, self._publish, self._watermark = compared, settle, publish, watermark
        self._metrics, self._patience = metrics, Patience()
        self._proof_s, self._proven_at = proof_s, float("-inf")
        self._behind_since: dict[ViewKey, float] = {}
        self._answers = answers
        self._shown: set[ViewKey] = set()
        self._compared_to = ""  # the last vector that was compared
        self._proven_to = self._folders_to = 0  # the last document, the last folder
        self._damaged: tuple[str, ...] = ()  # paths of documents that were found damaged in this round

    def look(self, now: float) -> list[Finding]:
        """Every view once; what is lost is repaired. Raises CatalogUnavailableError, DeliveryError."""
        deep = now - self._proven_at >= self._proof_s
        if deep:
            self._proven_at = now
        short = self._take_back_lost()
        self._damaged = self._take_back_damaged()
        suspect, self._folders_to = self._of.catalog.prove_folders(self._folders_to, limits().proof_folders)
        states = self._followed([s for s in self._of.catalog.views() if not s.deleted and s.view.owner is None])
        found = [
            f
            for state in states
            if (f := self._look_at(state, now, deep or state.view in suspect, state.view in short)) is not None
        ]
        self._forget(self._shown - {s.view for s in states})
        return found

    def _followed(self, states: Sequence[ViewState]) -> list[ViewState]:
        """A paused repository is left as it is; what was under way when it was paused is published, though."""
        paused = {repository.name for repository in self._of.catalog.repositories() if repository.paused}
        for state in states:
            if state.view.repo in paused:
                self._settle(state.view)
        return [state for state in states if state.view.repo not in paused]

    def _look_at(self, state: ViewState, now: float, deep: bool, short: bool) -> Finding | None:
        """`short`: vectors of the view were found to be lost just now."""
        try:
            objects = self._of.git.open(state.view.repo)
            head = objects.commit_of(state.view.ref) or ""
            self._show_lag(state, head, now)
            finding = self._against_host(state, objects, head)
            lost = self._without_rows(state, short) if finding is None else None
            finding = finding or (None if lost else self._unfinished(state, objects))
            proof = finding or lost or self._proof(state, objects, deep)
        except (RepositoryUnreadableError, TreeUnreadableError) as error:
            log.warning("%s %s can't be compared: %s", *_names(state.view), error)
            return None
        self._show(state.view, proof)
        if proof is None:
            self._patience.well(state.view)
        elif proof.reason != "refused" and (finding is None or self._patience.is_lost(finding, now, self._watermark())):
            self._repair(proof, now, patient=finding is not None)
        return proof

    def _against_host(self, state: ViewState, objects: GitObjects, head: str) -> Finding | None:
        if not head:
            return Finding(view=state.view, head="", reason="deleted")
        if head == state.opened_commit:
            return None
        refusal = self._of.catalog.refusals().get(state.view)
        if refusal is not None and refusal.commit == head:
            return Finding(view=state.view, head=head, reason="refused")
        manifest = self._of.catalog.tree_reader(state.view, state.opened)
        try:
            changes = diff_trees(manifest, state.opened_tree, objects, objects.tree_of(head), tree_bounds()).changes
        except TreeTooLargeError:  # the differ says so, too, once it is told
            return Finding(view=state.view, head=head, reason="behind")
        return Finding(view=state.view, head=head, reason="behind", paths=_paths(changes))

    def _unfinished(self, state: ViewState, objects: GitObjects) -> Finding | None:
        self._settle(state.view)
        now = self._of.catalog.view(state.view)
        if now is None or is_settled(now) or now.opened != state.opened:
            return None
        if self._of.catalog.root(state.view, state.opened) != state.opened_tree:
            return self._diverged(state, objects)
        missing = self._of.catalog.missing(state.view, state.opened, MOST_PATHS + 1)
        paths = tuple(sorted({*missing.paths, *missing.unembedded}))
        return Finding(view=state.view, head=state.opened_commit, reason="unfinished", paths=paths)

    def _proof(self, state: ViewState, objects: GitObjects, deep: bool) -> Finding | None:
        """Of a view that is at its head and published: its root, and if `deep` every leaf and vector row."""
        if state.published != state.opened:
            return None
        proven = self._of.catalog.root(state.view, state.published) == state.tree
        finding = self._diverged(state, objects) if deep or not proven else None
        outcome = "proven" if proven and finding is None else "diverged"
        self._metrics.count("headwater_reconciler_proofs_total", outcome=outcome)
        return finding or (self._parked(state) if deep else None)

    def _parked(self, state: ViewState) -> Finding | None:
        """What could not be read when it was its turn is tried again."""
        paths = self._of.catalog.parked(state.view, state.opened)
        return Finding(view=state.view, head=state.opened_commit, reason="parked", paths=paths) if paths else None

    def _diverged(self, state: ViewState, objects: GitObjects) -> Finding | None:
        manifest = self._of.catalog.tree_reader(state.view, state.opened)
        changes = diff_leaves(manifest, "", objects, state.opened_tree)
        if not changes:
            return None
        return Finding(view=state.view, head=state.opened_commit, reason="diverged", paths=_paths(changes))

    def _take_back_lost(self) -> set[ViewKey]:
        """Compares the next vectors with their marks; the views that are short of some now."""
        try:
            proof = compare_some(self._of.catalog, self._of.vectors, self._compared_to, limits().proof_vectors)
            if proof.lost:
                log.warning("vectors are lost and made again: %s", proof.by_kind())
            complete = {s.view for s in self._of.catalog.views() if s.vector_complete} if proof.lost else set()
            take_back(self._of.catalog, self._of.vectors, proof)
        except VectorsUnavailableError as error:
            log.warning("vectors can't be compared: %s", error)
            return set()
        self._compared_to = proof.last
        for kind, count in proof.by_kind().items():
            self._metrics.count("headwater_reconciler_lost_rows_total", count, store="vectors", kind=kind)
        return {s.view for s in self._of.catalog.views() if s.view in complete and not s.vector_complete}

    def _take_back_damaged(self) -> tuple[str, ...]:
        """Proves the next documents; the paths of those that are pending now, since their rows were damaged."""
        proof = self._of.catalog.prove(self._proven_to, limits().proof_documents)
        self._proven_to = proof.last
        if not proof.damages:
            return ()
        kinds = Counter(damage.table for damage in proof.damages)
        log.warning("rows of the catalog are lost and made again: %s", dict(kinds))
        for kind, count in kinds.items():
            self._metrics.count("headwater_reconciler_lost_rows_total", count, store="catalog", kind=kind)
        return self._of.catalog.take_back(proof.damages).paths

    def _without_rows(self, state: ViewState, short: bool) -> Finding | None:
        """What was lost of a view in this round: documents, or if it is `short`, vectors."""
        if self._damaged:
            with self._of.reader.pin([state.view]) as scope:
                paths = sorted({row.path for row in self._of.reader.files(scope)} & set(self._damaged))
            if paths:
                return Finding(view=state.view, head=state.opened_commit, reason="rows", paths=tuple(paths))
        if not short:
            return None
        lost = self._of.catalog.missing(state.view, state.opened, MOST_PATHS + 1).unembedded
        return Finding(view=state.view, head=state.opened_commit, reason="vectors", paths=tuple(sorted(lost)))

    def _repair(self, finding: Finding, now: float, patient: bool) -> None:
        log.warning("%s %s is %s: repairing %d paths", *_names(finding.view), finding.reason, len(finding.paths))
        self._publish([finding.repair(now)])
        self._metrics.count("headwater_reconciler_repairs_total")
        if patient:
            self._patience.repaired(finding, now)

    def _show_lag(self, state: ViewState, head: str, now: float) -> None:
        if head == state.commit:
            self._behind_since.pop(state.view, None)
        since = self._behind_since.setdefault(state.view, now) if head != state.commit and self._answers() else now
        self._metrics.set("headwater_head_lag_seconds", now - since, view=_label(state.view))
        self._shown.add(state.view)

    def _show(self, view: ViewKey, finding: Finding | None) -> None:
        paths = len(finding.paths) if finding is not None and finding.reason not in HELD_BACK else 0
        self._metrics.set("headwater_divergent_files", paths, view=_label(view))

    def _forget(self, views: Iterable[ViewKey]) -> None:
        for view in list(views):
            self._metrics.forget("headwater_head_lag_seconds", view=_label(view))
            self._metrics.forget("headwater_divergent_files", view=_label(view))
            self._behind_since.pop(view, None)
            self._patience.well(view)
            self._shown.discard(view)


def _paths(changes: Sequence[EntryChange]) -> tuple[str, ...]:
    return tuple(sorted(change.path for change in changes))


def _names(view: ViewKey) -> tuple[str, str]:
    return view.repo, view.ref


def _label(view: ViewKey) -> str:
    return f"{view.repo}@{view.ref}"
