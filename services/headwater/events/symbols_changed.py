"""A file's whole document: its chunk list, symbols, references and imports."""

import msgspec

from headwater.domain.document import Document
from headwater.events.lane import Lane


class SymbolsChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Emitted by ast-chunker, keyed by repository and path. In pointers-only mode it holds no text of the file."""

    repo: str
    ref: str
    generation: int
    document: Document
    text: str | None = None  # UTF-8 text that the spans refer to; None for skipped and parked files
    terms: tuple[dict[str, int], ...] = ()  # instead of it: what each chunk is found by, see domain/terms.py
    pushed_at: float
    lane: Lane = Lane.LIVE
