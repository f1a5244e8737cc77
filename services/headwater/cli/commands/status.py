"""`headwater status`: what the index holds of every view, and how far git is ahead."""

import argparse
import time
from collections.abc import Iterable
from typing import Any

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json, say
from headwater.cli.worktrees import known_copy
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import Refusal, ViewState
from headwater.embedded.home import Home
from headwater.embedded.product import Product
from headwater.embedded.working_copies import WorkingCopies, WorkingCopyView, follower
from headwater.query.heads import MOST_NAMED, GitHeads, Head
from headwater.stores.catalog import Repository
from headwater.stores.git_store import RepositoryUnreadableError

SHOWN = 3  # paths in a line


def run(arguments: argparse.Namespace) -> int:
    """Prints {"home", "repositories", "views"}."""
    with Product(Home.default()) as product:
        wanted = known_copy(product.home, arguments.worktree, "").view if arguments.worktree else None
        states = [s for s in product.catalog.views() if not s.deleted and wanted in (None, s.view)]
        refused = product.catalog.refusals()
        views = [_view(product, s, refused.get(s.view)) for s in states if s.view.owner in (None, "")]
        repositories = product.catalog.repositories()
        home = str(product.home.root)
    if arguments.json:
        print_json({"home": home, "repositories": repositories, "views": views})
        return ExitStatus.OK
    say(f"index in {home}")
    for view in views:
        say(_line(view))
    for repository in repositories:
        if all(v["repo"] != repository.name for v in views):
            say(f"{repository.name}: no view yet, {_why_none(repository, refused.values())}")
    if not repositories:
        say("nothing indexed yet: run 'headwater index PATH'")
    return ExitStatus.OK


def _why_none(repository: Repository, refused: Iterable[Refusal]) -> str:
    reasons = [f"{refusal.view.ref}: {refusal.reason}" for refusal in refused if refusal.view.repo == repository.name]
    return "; ".join(reasons) or f"run 'headwater index {repository.location}' once it has a commit"


def _view(product: Product, state: ViewState, refusal: Refusal | None) -> dict[str, Any]:
    head, behind, problem = _head(product, state)
    differing = GitHeads(lambda: product.catalog, product.git)(state) or Head("")
    return {
        "repo": state.view.repo,
        "ref": state.view.ref,
        "head": head,
        "commit": state.commit,
        "tree": state.tree,
        "tree_proven": state.tree_proven,
        "behind": behind,
        "divergent_files": len(differing.paths),
        "divergent_paths": differing.paths[:MOST_NAMED],
        "lag_seconds": 0.0 if head == state.commit else round(time.time() - state.published_at, 1),
        "vector_complete": state.vector_complete,
        "published_at": state.published_at,
        "files": product.catalog.file_counts(state.view, state.published),
        "chunks": product.catalog.chunk_counts(state.view, state.published, state.published).total,
        "problem": problem or (refusal.reason if refusal is not None else ""),
    }


def _head(product: Product, state: ViewState) -> tuple[str, int | None, str]:
    """The ref's commit in git ("" when gone), commits behind it, and what is wrong with the repository."""
    copy = WorkingCopies(product.home).of(state.view)
    try:
        if copy is not None:
            return _on_disk(product, copy, state)
        git = product.git.open(state.view.repo)
    except RepositoryUnreadableError as error:
        return "", None, str(error)
    try:
        head = git.commit_of(state.view.ref) or ""
    except TreeUnreadableError as error:
        return "", None, str(error)
    return head, git.behind(state.commit, head) if head else None, "" if head else "the ref is gone: index again"


def _on_disk(product: Product, copy: WorkingCopyView, state: ViewState) -> tuple[str, int | None, str]:
    """The same of a working copy. Raises RepositoryUnreadableError."""
    with follower(product, copy) as opened:
        head = opened.now().commit
    changed = f"{copy.path} has changed since: run 'headwater watch --worktree {copy.path}'"
    return (head, 0, "") if head == state.commit else (head, None, changed)


def _line(view: dict[str, Any]) -> str:
    proof = "proven" if view["tree_proven"] else "NOT PROVEN"
    lag = {0: "up to date", None: "history differs"}.get(view["behind"], f"{view['behind']} commits behind")
    files = view["files"]
    counts = f"{files.indexed} files, {files.skipped} skipped, {files.parked} parked, {view['chunks']} chunks"
    if view["divergent_files"]:
        more = ", …" if view["divergent_files"] > SHOWN else ""
        lag += f" in {view['divergent_files']} files ({', '.join(view['divergent_paths'][:SHOWN])}{more})"
    problem = f" ({view['problem']})" if view["problem"] else ""
    return f"{view['repo']} {view['ref']} at {view['commit'][:12]}: tree {proof}, {lag}{problem}; {counts}"
