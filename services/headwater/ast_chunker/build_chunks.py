"""From pieces to chunks: scopes, documentation, used imports, exact token count and content hash."""

from bisect import bisect_left

from headwater.ast_chunker.chunks import BUDGET, HEADER_RESERVE, Piece
from headwater.ast_chunker.positions import LineIndex
from headwater.domain.chunk_text import content_hash, context_header, embedded_text
from headwater.domain.document import Chunk, FileFacts, Import, Span
from headwater.domain.subtoken import subtokens
from headwater.domain.version import PipelineVersion

MAX_IMPORTS = 12
MIN_BODY = 100


def body_budget(path: str) -> int:
    """Tokens left for code once the header's path, scopes, documentation and imports are paid for."""
    return max(MIN_BODY, BUDGET - HEADER_RESERVE - len(subtokens(path)))


class ChunkBuilder:
    """Builds the chunks of one file."""

    def __init__(self, path: str, source: bytes, lines: LineIndex, facts: FileFacts, version: PipelineVersion) -> None:
        self._path, self._source, self._lines, self._facts, self._version = path, source, lines, facts, version
        self._uses = [(r.at.byte, r.import_) for r in facts.references if r.import_ >= 0]
        self._use_starts = [start for start, _ in self._uses]
        self._definition_starts = [s.at.byte for s in facts.symbols if not s.local]
        self._definitions = [i for i, s in enumerate(facts.symbols) if not s.local]
        order = sorted(range(len(self._definitions)), key=self._definition_starts.__getitem__)
        self._definition_starts = [self._definition_starts[i] for i in order]
        self._definitions = [self._definitions[i] for i in order]

    def build(self, piece: Piece) -> Chunk:
        symbol, kind = self._main(piece)
        scopes = self._scopes(symbol if symbol >= 0 else piece.owner)
        doc = self._facts.symbols[symbol].doc if symbol >= 0 else ""
        text = self._source[piece.start : piece.end].decode("utf-8", "replace")
        body = len(subtokens(text))
        imports = self._imports(piece, scopes, doc, body)
        span = self._lines.span(piece.start, piece.end)
        header = len(subtokens(context_header(self._path, scopes, doc, imports)))
        chunk = Chunk("", kind, symbol, span, body + header, scopes, doc, imports)
        digest = content_hash(embedded_text(self._path, chunk, text), self._version)
        return Chunk(digest, kind, symbol, span, body + header, scopes, doc, imports)

    def _main(self, piece: Piece) -> tuple[int, str]:
        """(main definition, kind): the unit itself, a merged piece's only definition, or the one that was split."""
        symbols = self._facts.symbols
        if not self._facts.parsed:
            return -1, "lines"
        if piece.symbol >= 0 and not piece.merged:
            return piece.symbol, str(symbols[piece.symbol].kind)
        low = bisect_left(self._definition_starts, piece.start)
        high = bisect_left(self._definition_starts, piece.end)
        inside = [self._definitions[i] for i in range(low, min(high, low + 2))]
        if len(inside) == 1 and piece.owner < 0 and self._fills(symbols[inside[0]].span, piece):
            return inside[0], str(symbols[inside[0]].kind)
        if piece.owner >= 0 and piece.start <= symbols[piece.owner].at.byte < piece.end:
            return piece.owner, str(symbols[piece.owner].kind)  # the head of what was split
        return piece.owner, "block"

    def _fills(self, span: Span, piece: Piece) -> bool:
        """Whether a definition is most of a merged piece."""
        return 2 * (span.end_byte - span.start_byte) >= piece.end - piece.start

    def _scopes(self, symbol: int) -> tuple[str, ...]:
        names: list[str] = []
        while symbol >= 0 and len(names) < 16:
            names.append(self._facts.symbols[symbol].name)
            symbol = self._facts.symbols[symbol].container
        return tuple(reversed(names))

    def _imports(self, piece: Piece, scopes: tuple[str, ...], doc: str, body: int) -> tuple[str, ...]:
        low, high = bisect_left(self._use_starts, piece.start), bisect_left(self._use_starts, piece.end)
        numbers = dict.fromkeys(number for _, number in self._uses[low:high])
        phrases = sorted({import_phrase(self._facts.imports[n]) for n in numbers})[:MAX_IMPORTS]
        left = BUDGET - body - len(subtokens(context_header(self._path, scopes, doc, ("",))))
        kept: list[str] = []
        for phrase in phrases:
            left -= len(subtokens(phrase))
            if left < 0:
                break
            kept.append(phrase)
        return tuple(kept)


def import_phrase(imported: Import) -> str:
    """`module.name` as people say it; relative dots and path prefixes are kept."""
    if not imported.name or imported.name == "*":
        return imported.module
    if imported.module.endswith(".") or not imported.module:
        return imported.module + imported.name
    separator = "." if "/" not in imported.module else " "
    return f"{imported.module}{separator}{imported.name}"
