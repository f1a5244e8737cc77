"""Code for an agent's prompt: the definitions that answer a question and what they call."""

from collections.abc import Iterable, Sequence

import msgspec

from headwater.domain.answer import ContextAnswer, ContextItem, Range, Result
from headwater.domain.document import Reference, ReferenceKind
from headwater.query.access import Access
from headwater.query.context_plan import Piece, estimate_tokens, plan_context
from headwater.query.hydrate import place_of
from headwater.query.ranked import Ranked, RankedList, document_of
from headwater.query.resolution import Resolutions
from headwater.query.targets import in_scope
from headwater.stores.index_reader import ChunkRow, DocumentRow, SymbolRow

MAX_HITS = 24
HITS_EXPANDED = 6
CALLEES_OF_A_HIT = 12
MAX_DEFINITION_BYTES = 60_000


class _Part(msgspec.Struct, frozen=True):
    """A stretch of a file with the reason for it."""

    row: DocumentRow
    start_byte: int
    end_byte: int
    result: Result
    level: int
    reason: str


def build_context(
    access: Access, resolutions: Resolutions, ranked: RankedList, budget: int, expand: bool = True
) -> ContextAnswer:
    """Hits in their order, each followed by its callees if `expand`, as far as `budget` tokens go."""
    access.prepare(row for item in ranked.items[:MAX_HITS] if (row := document_of(item)) is not None)
    hits = [part for item in ranked.items[:MAX_HITS] if (part := _hit(access, item)) is not None]
    parts: list[_Part] = []
    for number, hit in enumerate(hits):
        parts.append(hit)
        if expand and number < HITS_EXPANDED and not access.deadline.passed:
            parts += _callees(access, resolutions, hit)
    tokens = [estimate_tokens(part.result.snippet) for part in parts]
    plan = plan_context([_piece(p, t) for p, t in zip(parts, tokens, strict=True)], budget)
    items = tuple(ContextItem(result=parts[i].result, tokens=tokens[i], reason=parts[i].reason) for i in plan.chosen)
    return ContextAnswer(
        as_of=access.as_of(),
        items=items,
        tokens=plan.tokens,
        omitted=plan.omitted,
        complete=ranked.complete and access.whole and not access.deadline.passed,
        degraded=access.without(ranked.degraded),
    )


def _piece(part: _Part, tokens: int) -> Piece:
    return Piece((part.row.snapshot, part.row.path, part.start_byte), tokens, part.level)


def _hit(access: Access, item: Ranked) -> _Part | None:
    """The whole definition that a hit stands for, or its chunk."""
    row = item.row
    if isinstance(row, SymbolRow):
        return _definition(access, row.document, row.index, item.score, 0, "hit")
    if not isinstance(row, ChunkRow):
        return None
    if row.chunk.symbol >= 0:
        whole = _definition(access, row.document, row.chunk.symbol, item.score, 0, "hit")
        if whole.end_byte - whole.start_byte <= 4 * (row.chunk.span.end_byte - row.chunk.span.start_byte):
            return whole
    span = row.chunk.span
    result = Result(
        **place_of(access, row.document),
        range=Range.of_span(span),
        symbol=row.chunk.scopes[-1] if row.chunk.scopes else "",
        kind=row.chunk.kind,
        score=item.score,
        retrievers=item.retrievers,
        snippet=access.slice(row.document, span.start_byte, span.end_byte),
        snippet_line=span.start_line,
        generated=row.document.generated,
    )
    return _Part(row.document, span.start_byte, span.end_byte, result, 0, "hit")


def _definition(access: Access, row: DocumentRow, index: int, score: float, level: int, reason: str) -> _Part:
    symbol = access.documents.document(row).facts.symbols[index]
    span = symbol.span
    end = min(span.end_byte, span.start_byte + MAX_DEFINITION_BYTES)
    result = Result(
        **place_of(access, row),
        range=Range.of_span(span),
        symbol=symbol.name,
        qualified=symbol.qualified,
        kind=str(symbol.kind),
        signature=symbol.signature,
        score=score,
        snippet=access.slice(row, span.start_byte, end),
        snippet_line=span.start_line,
        generated=row.generated,
    )
    return _Part(row, span.start_byte, end, result, level, reason)


def _callees(access: Access, resolutions: Resolutions, hit: _Part) -> list[_Part]:
    """Definitions of what the hit calls, resolved ones only: a guess would waste the budget."""
    facts = access.documents.document(hit.row).facts
    snapshot, caller = hit.row.snapshot, hit.result.symbol or hit.row.path
    with resolutions.of(access, snapshot) as resolution:
        meant = [d for r in _calls(facts.references, hit) for d in resolution.definitions_of(hit.row, r)]
    chosen: list[tuple[DocumentRow, int]] = []
    for row, index in dict.fromkeys((in_scope(row, snapshot), index) for row, index in meant):
        symbol = access.documents.document(row).facts.symbols[index]
        inside = row.path == hit.row.path and hit.start_byte <= symbol.span.start_byte < hit.end_byte
        if not symbol.local and not inside and access.may_read(snapshot, row.path):
            chosen.append((row, index))
        if len(chosen) == CALLEES_OF_A_HIT:
            break
    access.prepare(row for row, _ in chosen)
    return [_definition(access, row, index, 0.0, 1, f"callee of {caller}") for row, index in chosen]


def _calls(references: Sequence[Reference], hit: _Part) -> Iterable[Reference]:
    within = (r for r in references if hit.start_byte <= r.at.byte < hit.end_byte)
    return (r for r in within if r.kind is ReferenceKind.CALL)
