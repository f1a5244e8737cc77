"""Documents made from Python source by regular expressions: enough symbols, references and chunks to fill a store."""

import re
from bisect import bisect_right

from headwater.domain.chunk_text import content_hash, embedded_text
from headwater.domain.document import (
    Chunk,
    Document,
    FileFacts,
    Import,
    Position,
    Reference,
    ReferenceKind,
    Span,
    Status,
    Symbol,
    SymbolKind,
)
from headwater.domain.tree import Mode, hash_blob
from headwater.domain.version import PipelineVersion
from headwater.stores.catalog import DocumentWrite
from support.git_repo import File

VERSION = PipelineVersion(model="test-model", dimensions=8)

_DEFINITION = re.compile(r"^([ \t]*)(def|class)[ \t]+(\w+)(.*)$", re.MULTILINE)
_IMPORT = re.compile(r"^from[ \t]+([\w.]+)[ \t]+import[ \t]+(\w+)(?:[ \t]+as[ \t]+(\w+))?", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_CHUNK_LINES = 25


class _Lines:
    def __init__(self, text: str) -> None:
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.text = text
        self.ascii = text.isascii()

    def position(self, at: int) -> Position:
        line = bisect_right(self.starts, at)
        start = self.starts[line - 1]
        if self.ascii:
            return Position(at, line, at - start + 1, at - start + 1)
        byte, first = len(self.text[:at].encode()), len(self.text[:start].encode())
        return Position(byte, line, at - start + 1, byte - first + 1)

    def span(self, start: int, end: int) -> Span:
        a, b = self.position(start), self.position(end)
        return Span(a.byte, b.byte, a.line, a.col, a.byte_col, b.line, b.col, b.byte_col)


def sample_write(path: str, content: File, version: PipelineVersion = VERSION, parked: bool = False) -> DocumentWrite:
    """A document and its text. Names that start with an underscore count as local; what isn't UTF-8 is skipped."""
    mode, raw = content if isinstance(content, tuple) else (int(Mode.FILE), content)
    blob = raw.decode() if mode == Mode.SUBMODULE else hash_blob(raw)
    if parked:
        return DocumentWrite(Document(path, blob, str(version), mode, Status.PARKED, "failed", len(raw)), None)
    text = _decoded(raw)
    if mode not in (Mode.FILE, Mode.EXECUTABLE) or text is None:
        return DocumentWrite(Document(path, blob, str(version), mode, Status.SKIPPED, "binary", len(raw)), None)
    lines = _Lines(text)
    symbols = tuple(_symbols(lines))
    references, imports = tuple(_references(lines, symbols)), tuple(_imports(lines))
    facts = FileFacts("python", symbols=symbols, references=references, imports=imports, parsed=True)
    chunks = tuple(_chunks(path, lines, symbols, version))
    status, size, count = Status.INDEXED, len(raw), text.count("\n")
    document = Document(path, blob, str(version), mode, status, size=size, lines=count, facts=facts, chunks=chunks)
    return DocumentWrite(document, text)


def _decoded(raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _symbols(lines: _Lines) -> list[Symbol]:
    found = []
    for match in _DEFINITION.finditer(lines.text):
        kind = SymbolKind.CLASS if match[2] == "class" else SymbolKind.FUNCTION
        name = match[3]
        found.append(
            Symbol(
                name,
                kind,
                f"module.{name}",
                match[4][:300],
                -1,
                lines.position(match.start(3)),
                lines.span(match.start(), match.end()),
                exported=not name.startswith("_"),
                local=name.startswith("_"),
            )
        )
    return found


def _references(lines: _Lines, symbols: tuple[Symbol, ...]) -> list[Reference]:
    by_name = {s.name: i for i, s in enumerate(symbols)}
    defined = {s.at.byte for s in symbols}
    found = []
    for match in _NAME.finditer(lines.text):
        at = lines.position(match.start())
        if at.byte not in defined:
            called = lines.text[match.end() : match.end() + 1] == "("
            kind = ReferenceKind.CALL if called else ReferenceKind.READ
            found.append(Reference(match[0], kind, at, -1, by_name.get(match[0], -1)))
    return found


def _imports(lines: _Lines) -> list[Import]:
    return [Import(m[1], m[2], m[3] or m[2], lines.position(m.start(2))) for m in _IMPORT.finditer(lines.text)]


def _chunks(path: str, lines: _Lines, symbols: tuple[Symbol, ...], version: PipelineVersion) -> list[Chunk]:
    found = []
    for first in range(0, len(lines.starts), _CHUNK_LINES):
        start = lines.starts[first]
        last = first + _CHUNK_LINES
        end = lines.starts[last] if last < len(lines.starts) else len(lines.text)
        body = lines.text[start:end]
        if not body.strip():
            continue
        inside = [i for i, s in enumerate(symbols) if first < s.at.line <= last]
        main = inside[0] if inside else -1
        scopes = (symbols[main].name,) if inside else ()
        chunk = Chunk("", "function" if inside else "lines", main, lines.span(start, end), len(body) // 4, scopes)
        key = content_hash(embedded_text(path, chunk, body), version)
        found.append(Chunk(key, chunk.kind, main, chunk.span, chunk.tokens, scopes))
    return found
