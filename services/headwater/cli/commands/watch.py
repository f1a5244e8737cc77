"""`headwater watch`: keep the index at the refs' heads."""

import argparse
import sys
import time
from pathlib import Path

from headwater.cli.command_error import ExitStatus
from headwater.cli.output import print_json
from headwater.domain.view import ViewKey
from headwater.embedded.home import Home
from headwater.embedded.indexing import Target, index
from headwater.embedded.product import Product
from headwater.embedded.watching import look
from headwater.events import CommitReceived
from headwater.streaming.in_process import PipelineStalledError


def run(arguments: argparse.Namespace) -> int:
    """Prints one line (with --json one object {"repo", "ref", "commit", "seconds"}) a published move, until stopped."""
    with Product(Home.default()) as product:
        if arguments.paths:
            index(product, [Target(Path(p), tuple(arguments.ref)) for p in arguments.paths])
        while True:
            for event in look(product, arguments.ref, _warn):
                _follow(product, event, arguments.json)
            if arguments.once:
                return ExitStatus.OK
            time.sleep(arguments.interval)


def _follow(product: Product, event: CommitReceived, as_json: bool) -> None:
    started = time.monotonic()
    try:
        product.run([event])
    except PipelineStalledError as error:
        _warn(f"{event.repo} {event.ref}: {error}; tried again at the next look")
        return
    state = product.catalog.view(ViewKey(event.repo, event.ref))
    commit = "" if state is None or state.deleted else state.commit
    line = {"repo": event.repo, "ref": event.ref, "commit": commit, "seconds": round(time.monotonic() - started, 3)}
    if as_json:
        print_json(line)
    else:
        print(f"{event.repo} {event.ref}: {commit[:12] or 'deleted'} in {line['seconds']} s", flush=True)


def _warn(message: str) -> None:
    print(f"headwater: {message}", file=sys.stderr)
