"""Follows the refs of indexed repositories by looking at them again and again."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from headwater.commit_ingest.process import followed, known_heads, moved, with_head
from headwater.domain.tree import TreeUnreadableError
from headwater.domain.view import ViewState
from headwater.embedded.mending import mend
from headwater.embedded.product import Product
from headwater.events import CommitReceived
from headwater.stores.git_store import RepositoryUnreadableError

Warn = Callable[[str], None]


def look(product: Product, patterns: Iterable[str], warn: Warn, cause: str = "poll") -> Iterator[CommitReceived]:
    """What moved since the index last took it in, what it took in under other settings than now, and what lost vectors.

    `patterns` adds refs that aren't indexed yet.

    An unreadable repository is warned of and keeps its last good state.
    """
    wanted = list(patterns)
    mend(product)
    product.live.take_back_lost()
    states = [s for s in product.catalog.views() if not s.deleted]
    refused = {view: refusal.commit for view, refusal in product.catalog.refusals().items()}
    for repository in product.catalog.repositories():
        if repository.paused:
            continue
        rules = product.treatment.of(repository.name).rules
        taken_in = {s.view: _taken_in(s, rules) for s in states} | refused
        known = known_heads(taken_in.items(), repository.name)
        try:
            opened = product.git.open(repository.name)
            refs = opened.refs()
            followed_here = with_head(wanted, opened.default_ref)
        except (RepositoryUnreadableError, TreeUnreadableError) as error:
            warn(f"{repository.name}: {error}; its last good state stays")
            continue
        for ref, why in opened.unreadable(known.keys() - refs.keys()).items():
            warn(f"{repository.name}: {why}; its last good state stays")
            del known[ref]
        refs |= {ref: at for ref in known.keys() - refs.keys() if (at := opened.commit_of(ref)) is not None}
        yield from moved(repository.name, _of_interest(refs, known, followed_here), known, time.time(), cause)


def _taken_in(state: ViewState, rules: str) -> str:
    """The commit that needs no further look; a crash may have left its generation unpublished."""
    done = state.published == state.opened and state.vector_complete
    return state.opened_commit if done and state.opened_rules == rules else ""


def _of_interest(refs: Mapping[str, str], known: Mapping[str, str], wanted: list[str]) -> dict[str, str]:
    return {ref: refs[ref] for ref in refs if ref in known} | followed(refs, wanted)
