"""The ast-chunker's decisions: one file's bytes to its document, and a document to the events that follow from it."""

import re
from dataclasses import replace

import msgspec

from headwater.ast_chunker.analyse import LINES_LANGUAGE, Analysis, analyse, analyse_lines
from headwater.ast_chunker.generated import is_generated
from headwater.ast_chunker.languages.detection import detect_language
from headwater.ast_chunker.languages.registry import all_languages
from headwater.ast_chunker.secret_scan import find_secret
from headwater.ast_chunker.syntax_cost import TooCostlyError
from headwater.domain import reason
from headwater.domain.decoding import Decoded, decode
from headwater.domain.document import Chunk, Document, Status
from headwater.domain.notebook import is_notebook, read_notebook
from headwater.domain.terms import Terms
from headwater.domain.treatment import ContentRules, reason_without_content
from headwater.domain.version import PipelineVersion
from headwater.events import ChunkChanged, FileChanged, SymbolsChanged

DEFAULT_RULES = ContentRules()
_GO_MODULE = re.compile(rb"^module\s+\"?([^\s\"]+)", re.MULTILINE)
GAVE_UP = "the parser was given up: chunked by lines"


def analyse_file(
    path: str, mode: int, blob: str, content: bytes, version: PipelineVersion, rules: ContentRules = DEFAULT_RULES
) -> tuple[Document, str | None]:
    """One file's document and text. Never raises on any bytes."""
    return _document(path, mode, blob, content, version, rules, parse=True)


def analyse_file_by_lines(
    path: str,
    mode: int,
    blob: str,
    content: bytes,
    version: PipelineVersion,
    rules: ContentRules,
    warning: str = GAVE_UP,
) -> tuple[Document, str | None]:
    """The same without the parser, with `warning`: the fallback when the parser was given up."""
    return _document(path, mode, blob, content, version, rules, parse=False, warning=warning)


def chunk_events(
    changed: FileChanged,
    document: Document,
    text: str | None,
    old: Document | None = None,
    terms: Terms = (),
) -> list[SymbolsChanged | ChunkChanged]:
    """The whole document, and each chunk that the former content (`old`) did not have, once.

    With `terms` the text travels by reference.
    """
    events: list[SymbolsChanged | ChunkChanged] = [
        SymbolsChanged(
            repo=changed.repo,
            ref=changed.ref,
            generation=changed.generation,
            document=document,
            text=text,
            terms=terms,
            pushed_at=changed.pushed_at,
            lane=changed.lane,
        )
    ]
    known = {chunk.content_hash for chunk in old.chunks} if old is not None else set()
    source = (text or "").encode("utf-8")
    for chunk in document.chunks:
        if chunk.content_hash not in known:
            known.add(chunk.content_hash)
            event = _chunk_changed(changed, document.path, chunk)
            events.append(_by_reference(event, changed, chunk) if terms else _whole(event, chunk, source))
    return events


def _chunk_changed(changed: FileChanged, path: str, chunk: Chunk) -> ChunkChanged:
    return ChunkChanged(
        repo=changed.repo,
        ref=changed.ref,
        generation=changed.generation,
        content_hash=chunk.content_hash,
        path=path,
        scopes=chunk.scopes,
        imports=chunk.imports,
        pushed_at=changed.pushed_at,
        lane=changed.lane,
    )


def _whole(event: ChunkChanged, chunk: Chunk, source: bytes) -> ChunkChanged:
    text = source[chunk.span.start_byte : chunk.span.end_byte].decode("utf-8")
    return msgspec.structs.replace(event, doc=chunk.doc, text=text)


def _by_reference(event: ChunkChanged, changed: FileChanged, chunk: Chunk) -> ChunkChanged:
    span = (chunk.span.start_byte, chunk.span.end_byte)
    return msgspec.structs.replace(event, blob=changed.blob, span=span, doc_at=chunk.doc_at)


def _document(
    path: str,
    mode: int,
    blob: str,
    content: bytes,
    version: PipelineVersion,
    rules: ContentRules,
    parse: bool,
    warning: str = "",
) -> tuple[Document, str | None]:
    decoded = decode(mode, content, rules)
    if not decoded.skipped and (secret := find_secret(decoded.source, rules)):
        decoded = Decoded(skipped=f"{reason.SECRET}: {secret}")
    if not decoded.skipped:
        decoded, language = _readable(path, decoded)
        if language in rules.skip_languages or (rules.languages and language not in rules.languages):
            decoded = Decoded(skipped=f"{reason.IGNORED}: {language} files are left out by configuration")
    if decoded.skipped:
        return _skipped(path, mode, blob, version, decoded.skipped, len(content), rules.variant), None
    text = decoded.source.decode("utf-8")
    warnings = [*decoded.warnings, *([warning] if warning else [])]
    if language != LINES_LANGUAGE and len(decoded.source) > rules.max_parsed_bytes:
        warnings.append(f"larger than {rules.max_parsed_bytes} bytes: chunked by lines")
        parse = False
    try:
        analysis = _analysis(path, decoded, language, version, parse, rules.max_parse_steps)
    except TooCostlyError:
        warnings.append(f"syntax of more than {rules.max_parse_steps} steps: chunked by lines")
        analysis = _analysis(path, decoded, language, version, False, rules.max_parse_steps)
    document = Document(
        path=path,
        blob=blob,
        version=str(version),
        mode=mode,
        status=Status.INDEXED,
        size=len(content),
        lines=analysis.lines,
        encoding=decoded.encoding,
        generated=is_generated(path, decoded.source, language != LINES_LANGUAGE),
        warnings=tuple(warnings),
        facts=analysis.facts,
        chunks=analysis.chunks,
        variant=rules.variant,
    )
    return document, text


def left_out_document(path: str, mode: int, blob: str, version: PipelineVersion, variant: str) -> Document:
    """Of a file that a rule leaves out whatever is in it: its content was not looked at."""
    return _skipped(path, mode, blob, version, reason_without_content(variant), 0, variant)


def _skipped(path: str, mode: int, blob: str, version: PipelineVersion, why: str, size: int, variant: str) -> Document:
    return Document(path, blob, str(version), mode, Status.SKIPPED, why, size, variant=variant)


def _readable(path: str, decoded: Decoded) -> tuple[Decoded, str]:
    """The text to index and its language: a notebook's cells, any other file's own text."""
    text = decoded.source.decode("utf-8")
    if not is_notebook(path):
        return decoded, detect_language(path, text)
    notebook = read_notebook(text)
    if notebook is None:
        warning = "not a notebook of format 4: chunked by lines"
        return replace(decoded, warnings=(*decoded.warnings, warning)), LINES_LANGUAGE
    language = notebook.language if notebook.language in all_languages() else LINES_LANGUAGE
    return replace(decoded, source=notebook.text.encode("utf-8", "replace")), language


def _analysis(
    path: str, decoded: Decoded, language: str, version: PipelineVersion, parse: bool, most_steps: int
) -> Analysis:
    """Raises TooCostlyError."""
    source = decoded.source
    if parse:
        analysis = analyse(path, source, language, version, most_steps)
    else:
        analysis = analyse_lines(path, source, version, language)
    if module := go_module(path, source):
        return replace(analysis, facts=msgspec.structs.replace(analysis.facts, package=module))
    return analysis


def go_module(path: str, source: bytes) -> str:
    """The module that a go.mod declares, "" for any other file: what Go's import paths start with."""
    found = _GO_MODULE.search(source) if path.rpartition("/")[2] == "go.mod" else None
    return found[1].decode("utf-8", "replace") if found else ""
