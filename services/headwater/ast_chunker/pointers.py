"""A document for pointers-only mode: names and positions, what its chunks are found by, and no text of the file."""

from collections.abc import Mapping

from msgspec.structs import replace

from headwater.ast_chunker.analyse import facts_of
from headwater.ast_chunker.conceal import concealed
from headwater.domain.doc_ranges import ranges_of
from headwater.domain.document import Chunk, Document, FileFacts, Reference, Symbol
from headwater.domain.terms import Terms, chunk_terms, keyed_terms


def without_source(document: Document, text: str, term_key: str) -> tuple[Document, Terms]:
    """The document without its source, and its chunks' terms.

    Content hashes stay those of the whole text, so the same chunks are new as in an index that keeps it.
    """
    source, facts = text.encode("utf-8"), document.facts
    terms = tuple(keyed_terms(chunk_terms(document.path, c, _body(c, source)), term_key) for c in document.chunks)
    kept = _kept(facts, facts_of(document.path, source, facts.language, concealed)) if facts.parsed else facts
    renamed = {s.name: k.name for s, k in zip(facts.symbols, kept.symbols, strict=True) if s.name != k.name}
    chunks = tuple(_chunk(c, source, renamed) for c in document.chunks)
    return replace(document, facts=kept, chunks=chunks), terms


def _chunk(chunk: Chunk, source: bytes, renamed: Mapping[str, str]) -> Chunk:
    scopes = tuple(renamed.get(name, name) for name in chunk.scopes)
    return replace(chunk, doc="", doc_at=ranges_of(chunk.doc, source, chunk.span.start_byte), scopes=scopes)


def _body(chunk: Chunk, source: bytes) -> str:
    return source[chunk.span.start_byte : chunk.span.end_byte].decode("utf-8", "replace")


def _kept(facts: FileFacts, shown: FileFacts) -> FileFacts:
    """The same facts with the texts of those `shown` at the same place, or without any."""
    symbols = {(s.at.byte, s.kind): s for s in shown.symbols}
    references = {(r.at.byte, r.kind): r for r in shown.references}
    return replace(
        facts,
        symbols=tuple(_symbol(s, symbols.get((s.at.byte, s.kind))) for s in facts.symbols),
        references=tuple(_reference(r, references.get((r.at.byte, r.kind))) for r in facts.references),
    )


def _symbol(symbol: Symbol, shown: Symbol | None) -> Symbol:
    name = _name(symbol.name, shown.name if shown else "")
    qualified = symbol.qualified if name == symbol.name else ""
    if shown is None:
        return replace(
            symbol, name=name, qualified=qualified, signature="", type="", bases=(), parameters=(), modifiers=(), doc=""
        )
    return replace(
        symbol,
        name=name,
        qualified=qualified if shown.name == symbol.name else name,
        signature=shown.signature,
        type=shown.type,
        bases=shown.bases,
        parameters=shown.parameters,
        modifiers=shown.modifiers,
        doc="",
    )


def _reference(reference: Reference, shown: Reference | None) -> Reference:
    if shown is None:
        arguments = None if reference.arguments is None else ("",) * len(reference.arguments)
        return replace(reference, name=_name(reference.name, ""), receiver="", arguments=arguments)
    name = _name(reference.name, shown.name)
    return replace(reference, name=name, receiver=shown.receiver, arguments=shown.arguments)


def _name(name: str, shown: str) -> str:
    """A name that is written as a text counts only if it could be written without quotes, too."""
    return name if name == shown or name.isidentifier() else ""
