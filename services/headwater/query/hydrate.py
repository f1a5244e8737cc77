"""Turns rows of the index into results: positions, names and text."""

from typing import TypedDict

from headwater.domain.answer import Certainty, Range, Result
from headwater.domain.document import Position, ReferenceKind, Span, Symbol
from headwater.query.access import Access
from headwater.stores.index_reader import ChunkRow, DocumentRow

MAX_SNIPPET_BYTES = 6000


class Where(TypedDict):
    """The fields of a result that say which file of which view it is in."""

    repo: str
    ref: str
    commit: str
    path: str
    language: str


def place_of(access: Access, row: DocumentRow) -> Where:
    """Where a document is."""
    snapshot = access.scope[row.snapshot]
    view = snapshot.view
    return Where(repo=view.repo, ref=view.ref, commit=snapshot.commit, path=row.path, language=row.language)


def symbol_result(
    access: Access,
    row: DocumentRow,
    symbol: Symbol,
    *,
    score: float = 0.0,
    retrievers: tuple[str, ...] = (),
    certainty: Certainty | None = None,
) -> Result:
    """A definition: its whole declaration."""
    span = symbol.span
    return Result(
        **place_of(access, row),
        range=Range.of_span(span),
        symbol=symbol.name,
        qualified=symbol.qualified,
        kind=str(symbol.kind),
        signature=symbol.signature,
        score=score,
        retrievers=retrievers,
        snippet=clip(access.slice(row, span.start_byte, min(span.end_byte, span.start_byte + MAX_SNIPPET_BYTES))),
        snippet_line=span.start_line,
        generated=row.generated,
        certainty=certainty,
    )


def chunk_result(
    access: Access, row: ChunkRow, *, score: float, retrievers: tuple[str, ...], duplicates: int = 0
) -> Result:
    """A chunk, named after its main definition if it has one; the snippet has the comment above it as well."""
    chunk, span = row.chunk, row.chunk.span
    named = chunk.symbol >= 0 and chunk.scopes
    return Result(
        **place_of(access, row.document),
        range=Range.of_span(_declaration(access, row) or span),
        symbol=chunk.scopes[-1] if named else "",
        qualified=".".join(chunk.scopes) if named else "",
        kind=chunk.kind,
        score=score,
        retrievers=retrievers,
        snippet=clip(access.slice(row.document, span.start_byte, span.end_byte)),
        snippet_line=span.start_line,
        duplicates=duplicates,
        generated=row.document.generated,
    )


def _declaration(access: Access, row: ChunkRow) -> Span | None:
    """The span of the definition that a chunk is, None for a part of one or for several."""
    chunk = row.chunk
    if chunk.symbol < 0 or chunk.kind == "block":
        return None
    span = access.documents.document(row.document).facts.symbols[chunk.symbol].span
    inside = chunk.span.start_byte <= span.start_byte and span.end_byte <= chunk.span.end_byte
    return span if inside else None


def usage_result(
    access: Access,
    row: DocumentRow,
    name: str,
    kind: ReferenceKind,
    at: Position,
    *,
    certainty: Certainty,
    definition: str,
) -> Result:
    """A use: the token, with its line as snippet."""
    return Result(
        **place_of(access, row),
        range=Range.of_token(at, name),
        symbol=name,
        kind=str(kind),
        retrievers=("references",),
        snippet=line_around(access, row, at.byte),
        snippet_line=at.line,
        generated=row.generated,
        certainty=certainty,
        definition=definition,
    )


def file_result(access: Access, row: DocumentRow, score: float) -> Result:
    """A whole file, found by its path."""
    return Result(
        **place_of(access, row),
        range=Range(1, 1, 1, 1, 1, 1),
        kind="file",
        score=score,
        retrievers=("path",),
        snippet=clip(access.slice(row, 0, 800)),
        snippet_line=1,
        generated=row.generated,
    )


def line_around(access: Access, row: DocumentRow, byte: int) -> str:
    """The line that holds this byte, at most 400 bytes of it around the place; "" in pointers-only mode."""
    window = access.slice(row, max(0, byte - 400), byte + 400)
    if not window:
        return ""
    before = access.slice(row, max(0, byte - 400), byte)
    start = before.rfind("\n") + 1
    end = window.find("\n", len(before))
    line = window[start:] if end < 0 else window[start:end]
    return line.rstrip("\r")


def clip(text: str) -> str:
    """At most MAX_SNIPPET_BYTES, cut at a line end."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= MAX_SNIPPET_BYTES:
        return text
    cut = raw[:MAX_SNIPPET_BYTES].decode("utf-8", "ignore")
    return cut[: cut.rfind("\n") + 1] or cut
