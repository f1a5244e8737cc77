"""Writes what is expected of the example files: `python -m headwater.ast_chunker.languages.golden [language…]`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from headwater.ast_chunker.process import analyse_file
from headwater.domain.document import Chunk, Document, FileFacts, Import, Reference, Symbol
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion

FOLDER = Path(__file__).parent
SUFFIX = ".facts"
_VERSION = PipelineVersion("golden", 8)


def examples(languages: list[str]) -> list[Path]:
    """The example files of these language folders, of all when none is named."""
    found = sorted(FOLDER.glob("*/examples/*"))
    return [p for p in found if p.suffix != SUFFIX and (not languages or p.parent.parent.name in languages)]


def expected_path(example: Path) -> Path:
    return example.with_name(example.name + SUFFIX)


def render(example: Path) -> str:
    """The facts of one example as lines that people can read and compare."""
    content = example.read_bytes()
    document, _text = analyse_file(f"examples/{example.name}", Mode.FILE, hash_blob(content), content, _VERSION)
    return "\n".join(_lines(document)) + "\n"


def _lines(document: Document) -> Iterator[str]:
    facts = document.facts
    package = f" package {facts.package}" if facts.package else ""
    yield f"{facts.language}{package}, {document.lines} lines, {facts.parse_errors} parse errors"
    yield from ("warning " + warning for warning in document.warnings)
    yield "\nsymbols"
    yield from (_symbol(s) for s in facts.symbols)
    yield "\nimports"
    yield from (_import(i) for i in facts.imports)
    yield "\nreferences"
    yield from (_reference(r, facts) for r in facts.references)
    yield "\nchunks"
    yield from (_chunk(c) for c in document.chunks)


def _symbol(symbol: Symbol) -> str:
    parts = [f"  {symbol.at.line}:{symbol.at.col}", symbol.kind, symbol.qualified]
    parts.append(f"[{symbol.span.start_line}-{symbol.span.end_line}]")
    parts.append("local" if symbol.local else "exported" if symbol.exported else "private")
    for label, value in (
        ("signature", symbol.signature),
        ("type", symbol.type),
        ("bases", ", ".join(symbol.bases)),
        ("parameters", ", ".join(p or "?" for p in symbol.parameters)),
        ("modifiers", " ".join(symbol.modifiers)),
        ("doc", symbol.doc),
    ):
        if value:
            parts.append(f"{label}={value!r}")
    return " ".join(parts)


def _import(imported: Import) -> str:
    flags = [flag for flag in ("reexported", "static", "type_only") if getattr(imported, flag)]
    parts = [f"  {imported.at.line}:{imported.at.col}", f"{imported.module!r} name={imported.name!r}"]
    return " ".join([*parts, f"alias={imported.alias!r}", *flags])


def _reference(reference: Reference, facts: FileFacts) -> str:
    parts = [f"  {reference.at.line}:{reference.at.col}", reference.kind, reference.name]
    if reference.receiver:
        parts.append(f"of {reference.receiver!r}")
    if reference.arguments is not None:
        parts.append(f"({', '.join(reference.arguments)})")
    if reference.target >= 0:
        symbol = facts.symbols[reference.target]
        parts.append(f"-> {symbol.qualified} {symbol.at.line}:{symbol.at.col}")
    if reference.import_ >= 0:
        imported = facts.imports[reference.import_]
        parts.append(f"-> import {imported.module!r} {imported.name!r}")
    return " ".join(parts)


def _chunk(chunk: Chunk) -> str:
    parts = [f"  {chunk.span.start_line}-{chunk.span.end_line}", chunk.kind, f"{chunk.tokens} tokens"]
    if chunk.scopes:
        parts.append(" > ".join(chunk.scopes))
    if chunk.imports:
        parts.append(f"uses {', '.join(chunk.imports)}")
    return " ".join(parts)


def main(languages: list[str]) -> None:
    """Write the expected facts of every example."""
    for example in examples(languages):
        expected_path(example).write_text(render(example), "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
