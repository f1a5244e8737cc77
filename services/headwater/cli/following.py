"""One look at every indexed repository's refs: takes in what moved and prints a line for each."""

import time
from collections.abc import Iterable

from headwater.cli.output import print_json, say, warn
from headwater.domain.view import ViewKey
from headwater.embedded.catching_up import catch_up
from headwater.embedded.product import BEHIND, Product
from headwater.embedded.watching import look
from headwater.events import CommitReceived
from headwater.stores.catalog import VersionMismatchError
from headwater.streaming.in_process import PipelineStalledError

CATCH_UP_S = 1.0  # in a look, for an index that isn't live


def follow_moves(product: Product, patterns: Iterable[str], as_json: bool) -> None:
    """Prints one line (as JSON {"repo", "ref", "commit", "seconds"}) a published move."""
    for event in look(product, patterns, _warn):
        _follow(product, event, as_json)
    for other in product.others():
        try:
            catch_up(product, other, CATCH_UP_S)
        except BEHIND as error:
            _warn(f"index {other.number} is behind: {error}; tried again at the next look")


def _follow(product: Product, event: CommitReceived, as_json: bool) -> None:
    started = time.monotonic()
    try:
        product.run([event])
    except (PipelineStalledError, VersionMismatchError) as error:
        _warn(f"{event.repo} {event.ref}: {error}; tried again at the next look")
        return
    state = product.catalog.view(ViewKey(event.repo, event.ref))
    commit = "" if state is None or state.deleted else state.commit
    line = {"repo": event.repo, "ref": event.ref, "commit": commit, "seconds": round(time.monotonic() - started, 3)}
    if as_json:
        print_json(line)
    else:
        say(f"{event.repo} {event.ref}: {commit[:12] or 'deleted'} in {line['seconds']} s")


def _warn(message: str) -> None:
    warn(f"headwater: {message}")
