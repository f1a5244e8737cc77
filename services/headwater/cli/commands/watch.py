"""`headwater watch`: keep the index at the refs' heads."""

import argparse
import time
from pathlib import Path

from headwater.cli.command_error import ExitStatus
from headwater.cli.following import follow_moves
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product


def run(arguments: argparse.Namespace) -> int:
    """Prints one line a published move, until stopped."""
    with Product(Home.default()) as product:
        if arguments.paths:
            index(product, [Target(Path(p), tuple(arguments.ref)) for p in arguments.paths])
        while True:
            follow_moves(product, arguments.ref, arguments.json)
            if arguments.once:
                return ExitStatus.OK
            time.sleep(arguments.interval)
