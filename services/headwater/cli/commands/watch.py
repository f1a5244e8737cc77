"""`headwater watch`: keep the index at the refs' heads and at what is on disk in working copies."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path

from headwater.cli.command_error import ExitStatus
from headwater.cli.following import follow_moves
from headwater.cli.worktrees import Worktrees, keep_looking
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product


def run(arguments: argparse.Namespace) -> int:
    """Prints one line a published move, until stopped."""
    with Product(Home.default()) as product, ExitStack() as opened:
        if arguments.paths:
            index(product, [Target(Path(p), tuple(arguments.ref)) for p in arguments.paths])
        worktrees = Worktrees(product, arguments.worktree, arguments.owner, opened)

        def look() -> None:
            follow_moves(product, arguments.ref, arguments.json)

        if arguments.once:
            look()
            worktrees.look(arguments.json)
        else:
            keep_looking(look, worktrees, arguments.interval, arguments.json, time.sleep)
    return ExitStatus.OK
