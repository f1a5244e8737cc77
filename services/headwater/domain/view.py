"""A view is one ref of one repository as the index holds it; generations are its commits in order of arrival."""

from urllib.parse import quote, unquote

import msgspec

_PRIVATE = "private/"


class ViewKey(msgspec.Struct, frozen=True, array_like=True, order=True):
    """`ref` is a full ref name (refs/heads/main, refs/tags/v1), a 40-hex commit id for a detached commit, or the name
    of a private view (see `private_ref`)."""

    repo: str
    ref: str

    @property
    def owner(self) -> str | None:
        """Who alone may know of a private view; None for a view of git's own refs."""
        return unquote(self.ref.split("/", 2)[1]) if self.ref.startswith(_PRIVATE) else None


def private_ref(owner: str, label: str) -> str:
    """The ref of a private view, unknown to git. `owner`: a principal's subject, "" for whose home the index is."""
    return f"{_PRIVATE}{quote(owner, safe='')}/{label}"


class ViewState(msgspec.Struct, frozen=True):
    """What the catalog knows of a view. Generations count from 1; 0 means none."""

    view: ViewKey
    opened: int  # newest generation whose manifest is written
    opened_commit: str
    opened_tree: str
    published: int  # newest generation that readers see
    commit: str  # commit of the published generation
    tree: str
    tree_proven: bool  # the manifest's own Merkle root equals `tree`
    pushed_at: float  # epoch seconds of the published commit's push
    published_at: float
    vector_complete: bool  # False while the lexical side runs ahead of the vectors
    deleted: bool = False
    opened_rules: str = ""  # under which treatment the newest generation was opened, see domain/treatment.py
    published_rules: str = ""  # and the published one


class Refusal(msgspec.Struct, frozen=True):
    """A commit of a ref that can't be taken in, and why; the view shows what it showed before, or nothing."""

    view: ViewKey
    commit: str
    reason: str


class FileCounts(msgspec.Struct, frozen=True):
    """Every entry of a view's manifest is exactly one of these."""

    indexed: int
    skipped: int
    parked: int


class ChunkCounts(msgspec.Struct, frozen=True):
    """Chunks of a view, and what one generation cost: new embeddings, chunks kept, chunks gone."""

    total: int
    embedded: int
    reused: int
    removed: int
