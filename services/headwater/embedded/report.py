"""What an indexing run did to each view, in the form that `headwater index --json` prints."""

import msgspec

from headwater.domain.view import ChunkCounts, FileCounts, ViewKey


class ViewReport(msgspec.Struct, frozen=True, kw_only=True):
    """One view after the run. `nodes_visited`: tree objects read to find the changes, both sides together."""

    repo: str
    ref: str
    commit: str
    tree: str
    tree_proven: bool
    files: FileCounts
    chunks: ChunkCounts
    nodes_visited: int
    seconds: float


class IndexReport(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run. `deleted`: views whose ref is gone; `empty`: repositories without a commit.

    `problems` are what could not be taken in, and why; what was searchable before is so still.
    """

    views: tuple[ViewReport, ...] = ()
    deleted: tuple[ViewKey, ...] = ()
    empty: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
