"""Which generation a branch is laid over, and when it is laid over another: its manifest costs what it differs by."""

from collections.abc import Iterator

import msgspec

from headwater.domain.merkle import TreeDiff, diff_trees
from headwater.domain.tree import EMPTY_TREE
from headwater.domain.view import ViewKey, ViewState
from headwater.limits import tree_bounds
from headwater.stores.catalog import Base, Catalog, Overlay
from headwater.stores.git_source import GitObjects

ALWAYS_SMALL = 1_000  # changed files; a branch of more must share half of its base's files
MOVED_FROM = 200  # places: a smaller overlay stays where it is
_USUAL = ("refs/heads/main", "refs/heads/master", "refs/heads/develop", "refs/heads/trunk")


class Start(msgspec.Struct, frozen=True):
    """What a new generation starts from: the view's newest one, or a base that it is laid `over`; and its `tree`."""

    diff: TreeDiff
    tree: str
    over: Base | None = None


def choose_start(
    catalog: Catalog, objects: GitObjects, view: ViewKey, state: ViewState | None, tree: str, rules: str
) -> Start:
    """How to get from what the catalog holds to `tree`. Raises TreeUnreadableError, TreeTooLargeError."""
    live = state if state is not None and not state.deleted else None
    overlay = catalog.overlay(view) if live is not None else None
    if live is None or overlay is None or overlay.places >= MOVED_FROM:
        for base in _bases(catalog, objects, view, rules):
            laid = _laid_over(catalog, objects, base, tree)
            if (overlay is None or overlay.base != laid.over) and _is_better(catalog, laid, overlay):
                return laid
    held = live.opened_tree if live is not None else EMPTY_TREE
    opened = live.opened if live is not None else 0
    return Start(diff_trees(catalog.tree_reader(view, opened), held, objects, tree, tree_bounds()), held)


def _bases(catalog: Catalog, objects: GitObjects, view: ViewKey, rules: str) -> Iterator[ViewState]:
    """The repository's default view, unless that is the one asked for, or else what is its usual name; at most one."""
    default = objects.default_ref()
    if view.ref == default:
        return
    for ref in dict.fromkeys((default, *_USUAL)):
        if ref is None or ref == view.ref:
            continue
        state = catalog.view(ViewKey(view.repo, ref))
        if state is not None and state.opened_rules == rules and catalog.overlay(state.view) is None:
            yield state
            return


def _laid_over(catalog: Catalog, objects: GitObjects, base: ViewState, tree: str) -> Start:
    under = catalog.tree_reader(base.view, base.opened)
    diff = diff_trees(under, base.opened_tree, objects, tree, tree_bounds())
    return Start(diff, base.opened_tree, Base(base.view, base.opened))


def _is_better(catalog: Catalog, laid: Start, overlay: Overlay | None) -> bool:
    changed = len(laid.diff.changes)
    if overlay is not None:
        return 2 * changed <= overlay.places
    if changed <= ALWAYS_SMALL or laid.over is None:
        return True
    counts = catalog.file_counts(laid.over.view, laid.over.generation)
    return 2 * changed <= counts.indexed + counts.skipped + counts.parked
