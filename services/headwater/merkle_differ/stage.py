"""The differ's shell: reads git and the manifest, opens generations, and emits the files that need work."""

import logging
from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from headwater.domain.merkle import EntryChange, TreeDiff, diff_at
from headwater.domain.treatment import Treatment, reason_without_content
from headwater.domain.tree import EMPTY_TREE, Mode, TreeEntry, TreeTooLargeError, TreeUnreadableError
from headwater.domain.view import Refusal, ViewKey, ViewState
from headwater.events import CommitReceived, FileChanged, IndexApplied, Lane
from headwater.events.index_applied import Index
from headwater.limits import count_reached, limits
from headwater.merkle_differ.basing import Start, choose_start
from headwater.merkle_differ.process import (
    Delete,
    Open,
    Resume,
    decide,
    file_events,
    grown_over,
    lane_for,
    latest_by_view,
)
from headwater.merkle_differ.treating import TreeTreatment, ignore_folders
from headwater.metrics import METRICS
from headwater.stores.catalog import Base, Catalog, CatalogUnavailableError, StaleGenerationError
from headwater.stores.git_source import GitObjects, GitSource
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.streaming.errors import RetryableError
from headwater.streaming.stage import Outgoing

INLINE_LIMIT = 256 * 1024  # bytes; larger content travels by blob id
BULK_FROM = 500  # files
EVERYTHING = 1 << 31
DEFAULT_TREATMENT = Treatment()

log = logging.getLogger("headwater")

DiffObserver = Callable[[ViewKey, TreeDiff], None]


class MerkleDiffer:
    """Consumes commit-received. Its state is the catalog's newest opened generation of each view."""

    name = "merkle-differ"

    def __init__(
        self,
        catalog: Catalog,
        git: GitSource,
        observer: DiffObserver | None = None,
        inline_limit: int = INLINE_LIMIT,
        bulk_from: int = BULK_FROM,
        treatment: Treatment = DEFAULT_TREATMENT,
        repaired: bool = False,
    ) -> None:
        """`repaired`: someone sends again what got lost, so that what earlier generations wait for is left alone."""
        self._catalog, self._git, self._treatment, self._repaired = catalog, git, treatment, repaired
        self._observer = observer or (lambda _view, _diff: None)
        self._inline_limit, self._bulk_from = inline_limit, bulk_from

    def handle(self, batch: Sequence[CommitReceived]) -> Iterable[Outgoing]:
        for event in latest_by_view(batch):
            try:
                yield from self._admitted(event)
            except (TreeUnreadableError, RepositoryUnreadableError, CatalogUnavailableError) as error:
                raise RetryableError(str(error)) from error
            except StaleGenerationError as error:
                raise RetryableError(f"another differ works on {event.repo} {event.ref}: {error}") from error

    def _admitted(self, event: CommitReceived) -> Iterable[Outgoing]:
        """A tree over a limit is refused for good: its view stays as it is, and says why."""
        try:
            yield from self._follow(event)
        except TreeTooLargeError as error:
            count_reached(error.limit)
            view = ViewKey(event.repo, event.ref)
            commit = self._git.open(event.repo).commit_of(event.ref) or event.after
            reason = f"commit {commit[:12]} is refused: {error} (HEADWATER_LIMITS_{error.limit.upper()})"
            log.warning("%s %s: %s", event.repo, event.ref, reason)
            self._catalog.refuse(Refusal(view, commit, reason))

    def _follow(self, event: CommitReceived) -> Iterable[Outgoing]:
        view = ViewKey(event.repo, event.ref)
        objects = self._git.open(event.repo)
        head = objects.commit_of(event.ref)
        state = self._catalog.view(view)
        match decide(state, head, self._treatment.of(event.repo).rules):
            case Delete():
                self._catalog.delete_view(view)
            case Open(base) if head is not None:
                yield from self._open(event, objects, head, base, state)
            case Resume(generation) if state is not None:
                yield from self._resume(event, objects, generation, state)
            case None:
                self._catalog.delete_view(view)  # there is none, but its last commit may have been refused

    def _open(
        self, event: CommitReceived, objects: GitObjects, head: str, base: int, state: ViewState | None
    ) -> Iterable[Outgoing]:
        view = ViewKey(event.repo, event.ref)
        tree = objects.tree_of(head)
        first = state is None or state.deleted
        treatment = self._treatment.of(event.repo)
        start = choose_start(self._catalog, objects, view, state, tree, treatment.rules)
        diff, laid = start.diff, start.over is not None  # a base has the same rules, and is there already
        self._check_growth(start.over or Base(view, state.opened if state else 0), start)
        other_rules = state is not None and not first and not laid and state.opened_rules != treatment.rules
        everything = (first and not laid) or other_rules
        if event.lane is Lane.LIVE and lane_for(len(diff.changes), everything, self._bulk_from) is Lane.BULK:
            yield Outgoing("commit-received", f"{event.repo}\0{event.ref}", replace(event, lane=Lane.BULK))
            return
        treating = TreeTreatment(treatment, objects, tree)
        former = TreeTreatment(treatment, objects, start.tree) if start.tree != EMPTY_TREE else None
        again = treating.reconsidered(diff.changes, other_rules, former)
        same_treatment = not other_rules and not treating.has_limits and not ignore_folders(diff.changes)
        changes = treating.applied(diff.changes)
        generation = self._catalog.open_generation(
            view, base, head, tree, event.pushed_at, [*changes, *again], treatment.rules, start.over
        )
        self._observer(view, diff)
        METRICS.count("headwater_merkle_differ_trees_read_total", diff.nodes_visited)
        missing = self._catalog.missing(view, generation, EVERYTHING)
        paths = {*missing.paths, *missing.unembedded}
        if self._repaired:
            paths &= {c.path for c in (*changes, *again)}
        lane = lane_for(len(paths), everything, self._bulk_from)
        # A file that was left out has no chunks to be known by; in bulk, parsing a former content, too, costs more than
        # the embedder's look at hashes that it knows.
        trusted = changes if same_treatment and lane is Lane.LIVE else ()
        yield from self._work(event, objects, generation, paths, trusted, lane, treating)

    def _check_growth(self, before: Base, start: Start) -> None:
        """Raises TreeTooLargeError."""
        held = self._catalog.entry_count(before.view, before.generation) if start.tree != EMPTY_TREE else 0
        if grown_over(held, start.diff.changes, most := limits().view_entries):
            raise TreeTooLargeError("view_entries", f"it has more than {most} files and folders")

    def _resume(
        self, event: CommitReceived, objects: GitObjects, generation: int, state: ViewState
    ) -> Iterable[Outgoing]:
        view = ViewKey(event.repo, event.ref)
        treatment = self._treatment.of(event.repo)
        treating = TreeTreatment(treatment, objects, state.opened_tree)
        changes = treating.applied(self._diverged(event, objects, state))
        if changes:
            commit, tree = state.opened_commit, state.opened_tree
            generation = self._catalog.open_generation(
                view, generation, commit, tree, event.pushed_at, changes, treatment.rules
            )
        missing = self._catalog.missing(view, generation, EVERYTHING)
        paths = {*missing.paths, *missing.unembedded, *self._catalog.parked(view, generation), *event.paths}
        lane = lane_for(len(paths), False, self._bulk_from)
        yield from self._work(event, objects, generation, paths, (), lane, treating)

    def _diverged(self, event: CommitReceived, objects: GitObjects, state: ViewState) -> Sequence[EntryChange]:
        """Where the manifest itself isn't the commit's tree, at the paths that a repair names."""
        if not event.paths:
            return ()
        manifest = self._catalog.tree_reader(state.view, state.opened)
        return diff_at(manifest, "", objects, state.opened_tree, event.paths)

    def _work(
        self,
        event: CommitReceived,
        objects: GitObjects,
        generation: int,
        paths: set[str],
        changes: Sequence[EntryChange],
        lane: Lane,
        treating: TreeTreatment,
    ) -> Iterable[Outgoing]:
        view = ViewKey(event.repo, event.ref)
        entries = {c.path: c.new for c in changes if c.new is not None and c.path in paths}
        entries |= self._entries(view, generation, paths - entries.keys())
        for file in file_events(event, generation, entries, changes, lane, treating.variant):
            yield Outgoing("file-changed", f"{file.repo}\0{file.path}", self._with_content(objects, file))
        done = IndexApplied(
            index=Index.LEXICAL,
            repo=event.repo,
            ref=event.ref,
            generation=generation,
            pushed_at=event.pushed_at,
            lane=lane,
        )
        yield Outgoing("index-applied", event.repo, done)

    def _entries(self, view: ViewKey, generation: int, paths: set[str]) -> dict[str, TreeEntry]:
        """The manifest's entries at these paths; a path that the generation no longer has is left out."""
        reader = self._catalog.tree_reader(view, generation)
        found: dict[str, TreeEntry] = {}
        for folder in {p.rpartition("/")[0] for p in paths}:
            prefix = f"{folder}/" if folder else ""
            rows = {prefix + e.name: e for e in reader.read_tree(folder, "") if not e.is_tree}
            found |= {p: rows[p] for p in rows.keys() & paths}
        return found

    def _with_content(self, objects: GitObjects, file: FileChanged) -> FileChanged:
        """Content inline where it is small and readable; else the chunker asks for the blob, retries and parks."""
        if self._treatment.pointers_only or file.mode in (Mode.SUBMODULE, Mode.SYMLINK):
            return file
        if reason_without_content(file.variant):
            return file
        try:
            if objects.blob_size(file.blob) > self._inline_limit:
                return file
            content = objects.read_blob(file.blob)
            return msgspec.structs.replace(file, content=content, old_content=self._former(objects, file))
        except TreeUnreadableError:
            return file

    def _former(self, objects: GitObjects, file: FileChanged) -> bytes | None:
        """The old content only saves work downstream, so a missing one (force push, collected) is no error."""
        try:
            return objects.read_blob(file.old_blob) if file.old_blob else None
        except TreeUnreadableError:
            return None
