"""From a document to its rows, without a database: what is indexed of it under which names and terms."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from headwater.domain.document import Document, FileFacts, Reference, ReferenceKind, Status
from headwater.stores.catalog import DocumentWrite
from headwater.stores.relational import codec
from headwater.stores.relational.postings import chunk_terms

BLOCK_BITS = 12  # a document has at most 4,096 blocks of usages
_BLOCK_USAGES = 48


class Usage(msgspec.Struct, frozen=True, gc=False):
    """A name used in a document: the block that holds its occurrences, and whether an import binds it as a member."""

    name: str
    block: int
    imported: bool


class SymbolEntry(msgspec.Struct, frozen=True, gc=False):
    """A non-local definition."""

    name: str
    ordinal: int
    line: int


class ChunkEntry(msgspec.Struct, frozen=True, gc=False):
    """A chunk's content and, when asked for, its weighted term counts."""

    content_hash: str
    terms: dict[str, int]


class Text(msgspec.Struct, frozen=True, gc=False):
    """A stored text under the hash of its own bytes: two documents may decode one blob differently."""

    hash: bytes
    text: str


class DocumentRows(msgspec.Struct, frozen=True):
    """Everything that is written for one document."""

    document: Document
    head: bytes
    symbols_body: bytes
    chunks_body: bytes
    symbols: tuple[SymbolEntry, ...]
    usages: tuple[Usage, ...]
    usage_blocks: tuple[bytes, ...]
    chunks: tuple[ChunkEntry, ...]
    text: Text | None


def document_rows(write: DocumentWrite, store_text: bool) -> DocumentRows:
    """Terms are counted only for chunks whose text is given."""
    document, text = write.document, write.text
    facts = document.facts
    head = msgspec.structs.replace(document, facts=msgspec.structs.replace(facts, symbols=()), chunks=())
    usages, blocks = _usages(facts)
    return DocumentRows(
        document=document,
        head=codec.HEAD.pack(head),
        symbols_body=codec.SYMBOLS.pack(facts.symbols),
        chunks_body=codec.CHUNKS.pack(document.chunks),
        symbols=tuple(symbol_entries(facts)),
        usages=tuple(usages),
        usage_blocks=tuple(codec.USAGES.pack(block) for block in blocks),
        chunks=tuple(_chunk_entries(document, text)),
        text=_text(text) if store_text and text is not None and document.status is Status.INDEXED else None,
    )


def symbol_entries(facts: FileFacts) -> Iterator[SymbolEntry]:
    """The definitions that can be looked up by name."""
    for ordinal, symbol in enumerate(facts.symbols):
        if not symbol.local and symbol.name:
            yield SymbolEntry(symbol.name, ordinal, symbol.at.line)


def used_names(facts: FileFacts) -> dict[str, list[Reference]]:
    """Occurrences by name in order of position: references not bound to a local, and imports by member and alias."""
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for reference in facts.references:
        bound_to_local = reference.target >= 0 and facts.symbols[reference.target].local
        if not bound_to_local and reference.name:
            found[reference.name].append(reference)
    for index, import_ in enumerate(facts.imports):
        for name in dict.fromkeys((import_.name, import_.alias)):
            if name in ("", "*") or any(r.at.byte == import_.at.byte for r in found.get(name, ())):
                continue
            found[name].append(Reference(name, ReferenceKind.IMPORT, import_.at, import_.scope, import_=index))
    for occurrences in found.values():
        occurrences.sort(key=lambda r: r.at.byte)
    return found


def _usages(facts: FileFacts) -> tuple[list[Usage], list[dict[str, tuple[Reference, ...]]]]:
    """Names in order fill blocks; a name is never split, so that one block answers for it."""
    members = {i.name for i in facts.imports}
    usages: list[Usage] = []
    blocks: list[dict[str, tuple[Reference, ...]]] = []
    filled = _BLOCK_USAGES
    for name, occurrences in sorted(used_names(facts).items()):
        if filled >= _BLOCK_USAGES and len(blocks) < 1 << BLOCK_BITS:
            blocks.append({})
            filled = 0
        blocks[-1][name] = tuple(occurrences)
        filled += len(occurrences)
        usages.append(Usage(name, len(blocks) - 1, name in members))
    return usages, blocks


def _chunk_entries(document: Document, text: str | None) -> Iterator[ChunkEntry]:
    raw = text.encode("utf-8") if text is not None else None
    for chunk in document.chunks:
        if raw is None:
            yield ChunkEntry(chunk.content_hash, {})
            continue
        body = raw[chunk.span.start_byte : chunk.span.end_byte].decode("utf-8", "replace")
        yield ChunkEntry(chunk.content_hash, chunk_terms(document.path, chunk, body))


def _text(text: str) -> Text:
    return Text(hashlib.blake2b(text.encode("utf-8"), digest_size=16).digest(), text)


def by_name(entries: Sequence[SymbolEntry]) -> dict[str, list[SymbolEntry]]:
    """Definitions grouped by name."""
    ordered = sorted(entries, key=lambda e: e.name)
    return {name: list(group) for name, group in groupby(ordered, key=lambda e: e.name)}
