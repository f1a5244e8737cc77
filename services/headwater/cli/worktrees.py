"""Working copies as commands name them: taking one in, following several, and finding one that was taken in."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from headwater.cli.command_error import CommandError, ExitStatus
from headwater.cli.output import print_json, say, warn
from headwater.cli.progress import Bar
from headwater.embedded.home import Home
from headwater.embedded.indexing import IndexingError
from headwater.embedded.product import Product
from headwater.embedded.report import ViewReport
from headwater.embedded.working_copies import WorkingCopies, WorkingCopyView, follower, registered
from headwater.stores.git_store import RepositoryUnreadableError
from headwater.streaming.in_process import PipelineStalledError

SHORTEST_PAUSE_S = 0.2
IDLE_SHARE = 4  # times as long as a look takes: following costs a fifth of a core at most


def known_copy(home: Home, folder: str, owner: str) -> WorkingCopyView:
    """The view of the working copy around `folder`. Raises CommandError."""
    copy = WorkingCopies(home).at(Path(folder), owner)
    if copy is None:
        message = f"no working copy at {folder} is indexed: run 'headwater index --worktree {folder}'"
        raise CommandError(message, ExitStatus.NOT_FOUND, "NOT_FOUND")
    return copy


def here(home: Home) -> WorkingCopyView | None:
    """The home's own view of the working copy that the command is run in."""
    return WorkingCopies(home).at(Path.cwd())


def take_in_now(product: Product, folder: str, owner: str, bar: Bar) -> ViewReport:
    """Raises CommandError for an owner who can't be, and what `Follower.take_in` raises."""
    copy = registered(product, Path(folder), checked_owner(owner), bar)
    with follower(product, copy) as opened:
        return opened.take_in(opened.now(), bar)


def checked_owner(owner: str) -> str:
    if owner and (not owner.startswith(("user:", "cert:")) or len(owner) == len("user:")):
        raise CommandError(f"'{owner}' owns nothing: give user:NAME or cert:NAME", ExitStatus.USAGE, "INVALID_FIELD")
    return owner


def warn_if_behind(product: Product, copy: WorkingCopyView) -> None:
    """On standard error, when files have changed since the view was taken in."""
    state = product.catalog.view(copy.view)
    try:
        with follower(product, copy) as opened:
            behind = state is None or opened.now().commit != state.commit
    except RepositoryUnreadableError as error:
        warn(f"headwater: {copy.path}: {error}")
        return
    if behind:
        warn(f"headwater: {copy.path} has changed since it was indexed: run 'headwater watch --worktree {copy.path}'")


class Worktrees:
    """Several working copies followed by looking at them again and again."""

    def __init__(self, product: Product, folders: Sequence[str], owner: str, opened: ExitStack) -> None:
        """Raises CommandError, RepositoryUnreadableError."""
        copies = [registered(product, Path(folder), checked_owner(owner)) for folder in folders]
        self._followers = [opened.enter_context(follower(product, copy)) for copy in copies]
        self.pause = SHORTEST_PAUSE_S if copies else float("inf")

    def look(self, as_json: bool) -> None:
        """Prints one line (as JSON {"repo", "ref", "commit", "seconds"}) a state taken in."""
        started, idle = time.monotonic(), True
        for one in self._followers:
            try:
                report = one.look()
            except (RepositoryUnreadableError, IndexingError, PipelineStalledError) as error:
                warn(f"headwater: {one.copy.path}: {error}; tried again at the next look")
                continue
            if report is not None:
                idle = False
                _show(report, as_json)
        if self._followers and idle:
            self.pause = max(SHORTEST_PAUSE_S, IDLE_SHARE * (time.monotonic() - started))


def keep_looking(
    look: Callable[[], None],
    worktrees: Worktrees,
    interval: float,
    as_json: bool,
    wait: Callable[[float], bool | None],
) -> None:
    """`look` each `interval` seconds, and at working copies more often, until `wait` says to stop."""
    while True:
        look()
        due = time.monotonic() + interval
        while True:
            worktrees.look(as_json)
            left = due - time.monotonic()
            if wait(max(0.0, min(left, worktrees.pause))):
                return
            if left <= worktrees.pause:
                break


def _show(report: ViewReport, as_json: bool) -> None:
    if as_json:
        print_json({"repo": report.repo, "ref": report.ref, "commit": report.commit, "seconds": report.seconds})
    else:
        say(f"{report.repo} {report.ref}: {report.commit[:12]} in {report.seconds} s")
