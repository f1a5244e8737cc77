"""From a document to its rows, without a database: what is indexed of it under which names and terms."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from headwater.domain.document import Chunk, Document, FileFacts, Import, Reference, ReferenceKind, Status, Symbol
from headwater.domain.terms import chunk_terms, keyed_terms
from headwater.stores.catalog import DocumentWrite
from headwater.stores.relational import codec
from headwater.stores.relational.codec import UsageBlock

LONGEST_NAME = 600  # characters; longer ones stand in generated data alone
BLOCK_BITS = 12  # a document has at most 4,096 blocks of usages
_BLOCK_USAGES = 96


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
    split: bool  # the head leaves out the references that the usage blocks hold
    symbols_body: bytes
    chunks_body: bytes
    symbols: tuple[SymbolEntry, ...]
    usages: tuple[Usage, ...]
    usage_blocks: tuple[bytes, ...]
    chunks: tuple[ChunkEntry, ...]
    text: Text | None
    text_base: tuple[int, bytes] | None = None  # id and bytes of the text that it is stored against


def document_rows(write: DocumentWrite, store_text: bool, term_key: str = "") -> DocumentRows:
    """Terms are those given, else they are counted in the text; without either there are none."""
    document, text = write.document, write.text
    usages, blocks = _usages(document.facts)
    local = tuple(r for r in document.facts.references if _bound_to_local(document.facts, r))
    split = codec.merged(local, blocks) == document.facts.references
    return DocumentRows(
        document=document,
        head=codec.HEAD.pack(_head(document, local if split else document.facts.references)),
        split=split,
        symbols_body=codec.SYMBOLS.pack(document.facts.symbols),
        chunks_body=codec.CHUNKS.pack(document.chunks),
        symbols=tuple(symbol_entries(document.facts)),
        usages=tuple(usages),
        usage_blocks=tuple(codec.USAGES.pack(block) for block in blocks),
        chunks=tuple(_chunk_entries(write, term_key)),
        text=_text(text) if store_text and text is not None and document.status is Status.INDEXED else None,
    )


def whole(
    head: Document, symbols: tuple[Symbol, ...], chunks: tuple[Chunk, ...], blocks: Iterable[UsageBlock] | None
) -> Document:
    """A document from its separately stored parts; `blocks` is None when the head has all references."""
    references = head.facts.references if blocks is None else codec.merged(head.facts.references, blocks)
    facts = msgspec.structs.replace(head.facts, symbols=symbols, references=references)
    return msgspec.structs.replace(head, facts=facts, chunks=chunks)


def _head(document: Document, references: tuple[Reference, ...]) -> Document:
    facts = msgspec.structs.replace(document.facts, symbols=(), references=references)
    return msgspec.structs.replace(document, facts=facts, chunks=())


def symbol_entries(facts: FileFacts) -> Iterator[SymbolEntry]:
    """The definitions that can be looked up by name."""
    for ordinal, symbol in enumerate(facts.symbols):
        if not symbol.local and _is_name(symbol.name):
            yield SymbolEntry(symbol.name, ordinal, symbol.at.line)


def _is_name(name: str) -> bool:
    """Whether it can be looked up: not every database stores NUL, or has room for a megabyte in an index."""
    return 0 < len(name) <= LONGEST_NAME and "\0" not in name


def used_names(facts: FileFacts) -> set[str]:
    """The names under which usages are found: of references not bound to a local, and of imports."""
    names = {r.name for r in facts.references if not _bound_to_local(facts, r)}
    return (names | {name for i in facts.imports for name in _bound_names(i)}) - {""}


def _usages(facts: FileFacts) -> tuple[list[Usage], list[UsageBlock]]:
    """Names in order fill blocks; a name is never split, so that one block answers for it."""
    references = _free_references(facts)
    imports = _import_references(facts, references)
    members = {i.name for i in facts.imports}
    usages: list[Usage] = []
    blocks: list[UsageBlock] = []
    filled = _BLOCK_USAGES
    for name in sorted(references.keys() | imports.keys()):
        if filled >= _BLOCK_USAGES and len(blocks) < 1 << BLOCK_BITS:
            blocks.append(UsageBlock({}, {}))
            filled = 0
        for part, found in ((blocks[-1].references, references), (blocks[-1].imports, imports)):
            if name in found:
                part[name] = tuple(found[name])
                filled += len(found[name])
        if _is_name(name):
            usages.append(Usage(name, len(blocks) - 1, name in members))
    return usages, blocks


def _free_references(facts: FileFacts) -> dict[str, list[Reference]]:
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for reference in facts.references:
        if not _bound_to_local(facts, reference):
            found[reference.name].append(reference)
    return found


def _import_references(facts: FileFacts, references: Mapping[str, Sequence[Reference]]) -> dict[str, list[Reference]]:
    """Imports by member and by alias, where no reference stands for them already."""
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for index, import_ in enumerate(facts.imports):
        for name in _bound_names(import_):
            if all(r.at.byte != import_.at.byte for r in references.get(name, ())):
                reference = Reference(name, ReferenceKind.IMPORT, import_.at, import_.scope, import_=index)
                found[name].append(reference)
    return found


def _bound_names(import_: Import) -> set[str]:
    return {import_.name, import_.alias} - {"", "*"}


def _bound_to_local(facts: FileFacts, reference: Reference) -> bool:
    return reference.target >= 0 and facts.symbols[reference.target].local


def _chunk_entries(write: DocumentWrite, term_key: str) -> Iterator[ChunkEntry]:
    document = write.document
    raw = write.text.encode("utf-8") if write.text is not None else None
    for number, chunk in enumerate(document.chunks):
        if write.terms:
            yield ChunkEntry(chunk.content_hash, write.terms[number])
        elif raw is None:
            yield ChunkEntry(chunk.content_hash, {})
        else:
            body = raw[chunk.span.start_byte : chunk.span.end_byte].decode("utf-8", "replace")
            yield ChunkEntry(chunk.content_hash, keyed_terms(chunk_terms(document.path, chunk, body), term_key))


def _text(text: str) -> Text:
    return Text(hashlib.blake2b(text.encode("utf-8"), digest_size=16).digest(), text)
