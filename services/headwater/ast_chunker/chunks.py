"""The chunk rule: which slices of a file are retrieval units, decided by the syntax tree alone."""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from headwater.ast_chunker.docs import CommentIndex
from headwater.ast_chunker.positions import BOM
from headwater.ast_chunker.scopes import CALLABLE_KINDS, CLASS_KINDS
from headwater.domain.document import Symbol, SymbolKind

BUDGET = 500  # tokens of a chunk, its header included
HEADER_RESERVE = 60
TINY = 24  # definitions below are merged with their neighbours
SMALL_CLASS = 120  # classes below stay whole however many methods they have
MERGED = 300  # merging stops here
MAX_BYTES = 6000  # whatever the tokens: the cap for monsters
MAX_DEPTH = 48

_TOKEN = re.compile(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[\x80-\xff]+")
_BLANK = b" \t\r\n\f\v"
_SPLITTABLE = CLASS_KINDS | {SymbolKind.NAMESPACE, SymbolKind.MODULE}
_UNITS = CALLABLE_KINDS | _SPLITTABLE


@dataclass(slots=True)
class Piece:
    """A slice of the file. `symbol` is the definition it is, `owner` the definition that was split to get it, -1."""

    start: int
    end: int
    tokens: int
    owner: int = -1
    symbol: int = -1
    merged: bool = False


class Ruler:
    """Counts sub-tokens of any byte range of one text in O(log n); never fewer than `subtokens` finds."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [m.start() for m in _TOKEN.finditer(source)]

    def tokens(self, start: int, end: int) -> int:
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def fits(self, start: int, end: int, tokens: int, budget: int) -> bool:
        return tokens <= budget and end - start <= MAX_BYTES


def cut_tree(root: Node, symbols: tuple[Symbol, ...], comments: CommentIndex, ruler: Ruler, budget: int) -> list[Piece]:
    """Pieces in source order that cover every non-blank byte, none of them blank, each within `budget` tokens."""
    cutter = _Cutter(symbols, comments, ruler, budget)
    cutter.split(root, 0, len(ruler.source), -1, 0)
    return _tidy(cutter.pieces, ruler, budget, cutter.standalone)


def cut_page(
    scripts: list[tuple[int, int, Node, CommentIndex]], symbols: tuple[Symbol, ...], ruler: Ruler, budget: int
) -> list[Piece]:
    """Pieces of a page: scripts (start, end, tree, comments) by their trees, what is around them by lines."""
    pieces: list[Piece] = []
    at = 0
    for start, end, root, comments in scripts:
        pieces.extend(_lines(ruler, at, start, -1, budget))
        cutter = _Cutter(symbols, comments, ruler, budget)
        cutter.split(root, start, end, -1, 0)
        pieces.extend(cutter.pieces)
        at = end
    pieces.extend(_lines(ruler, at, len(ruler.source), -1, budget))
    return _tidy(pieces, ruler, budget, lambda piece: piece.symbol >= 0 and piece.tokens >= TINY)


def cut_lines(ruler: Ruler, budget: int) -> list[Piece]:
    """Line chunks, for text without a grammar."""
    pieces = _lines(ruler, 0, len(ruler.source), -1, budget)
    return _tidy(pieces, ruler, budget, lambda _piece: False)


class _Cutter:
    def __init__(self, symbols: tuple[Symbol, ...], comments: CommentIndex, ruler: Ruler, budget: int) -> None:
        self._symbols, self._comments, self._ruler, self._budget = symbols, comments, ruler, budget
        self._units: dict[tuple[int, int], int] = {}
        for number, symbol in enumerate(symbols):
            if symbol.kind in _UNITS:
                self._units.setdefault((symbol.span.start_byte, symbol.span.end_byte), number)
        self._members = self._large_members()
        self.pieces: list[Piece] = []

    def split(self, node: Node, start: int, end: int, owner: int, depth: int) -> None:
        """Cut [start, end), which holds `node` and what surrounds it, at the node's children."""
        children = [c for c in node.children if c.end_byte > c.start_byte and start <= c.start_byte < end]
        if not children or depth > MAX_DEPTH:
            self.pieces.extend(_lines(self._ruler, start, end, owner, self._budget))
            return
        begins = self._begins(children, start)
        for i, child in enumerate(children):
            until = begins[i + 1] if i + 1 < len(children) else end
            if until > begins[i]:
                self._place(child, begins[i], until, owner, depth)

    def _begins(self, children: list[Node], start: int) -> list[int]:
        """Where each child's slice begins: a comment directly above belongs to what follows."""
        begins: list[int] = []
        for child in children:
            at = self._comments.start_above(child.start_byte) if child.is_named else child.start_byte
            begins.append(max(at, start))
        begins[0] = start
        for i in range(len(begins) - 2, -1, -1):
            begins[i] = min(begins[i], begins[i + 1])
        return begins

    def _place(self, child: Node, start: int, end: int, owner: int, depth: int) -> None:
        symbol = self._units.get((child.start_byte, child.end_byte), -1)
        tokens = self._ruler.tokens(start, end)
        if self._ruler.fits(start, end, tokens, self._budget) and not self._better_split(symbol, tokens, child, start):
            self.pieces.append(Piece(start, end, tokens, owner, symbol))
        else:
            self.split(child, start, end, symbol if symbol >= 0 else owner, depth + 1)

    def _better_split(self, symbol: int, tokens: int, child: Node, start: int) -> bool:
        """A class of several methods: each is the answer to some query, the whole class to few."""
        if tokens <= SMALL_CLASS:
            return False
        if symbol >= 0:
            return self._symbols[symbol].kind in _SPLITTABLE and self._members.get(symbol, 0) >= 2
        inner = self._inside(child.start_byte, child.end_byte)
        return inner >= 2

    def _inside(self, start: int, end: int) -> int:
        """Number of large units strictly inside a range that is no unit itself."""
        return bisect_left(self._large_starts, end) - bisect_left(self._large_starts, start)

    def _large_members(self) -> dict[int, int]:
        members: dict[int, int] = {}
        self._large_starts: list[int] = []
        for (start, end), number in self._units.items():
            if self._ruler.tokens(start, end) >= TINY and self._symbols[number].kind in CALLABLE_KINDS:
                container = self._symbols[number].container
                members[container] = members.get(container, 0) + 1
                self._large_starts.append(start)
        self._large_starts.sort()
        return members

    def standalone(self, piece: Piece) -> bool:
        """Whether a piece is a unit of its own that neighbours must not join."""
        return piece.symbol >= 0 and piece.tokens >= TINY


def _lines(ruler: Ruler, start: int, end: int, owner: int, budget: int) -> list[Piece]:
    """Cut a range at line ends, and lines beyond the cap inside (never inside a code point)."""
    pieces: list[Piece] = []
    source, at = ruler.source, start
    while at < end:
        stop = source.find(b"\n", at, end) + 1 or end
        tokens = ruler.tokens(at, stop)
        if not ruler.fits(at, stop, tokens, budget):
            stop = _cap(ruler, at, stop, budget)
            tokens = ruler.tokens(at, stop)
        last = pieces[-1] if pieces else None
        if last and ruler.fits(last.start, stop, last.tokens + tokens, budget):
            last.end, last.tokens = stop, last.tokens + tokens
        else:
            pieces.append(Piece(at, stop, tokens, owner))
        at = stop
    return pieces


def _cap(ruler: Ruler, start: int, end: int, budget: int) -> int:
    """The furthest cut of a line that keeps the piece within budget and bytes, at white space if there is some."""
    source = ruler.source
    stop = min(end, start + MAX_BYTES)
    if ruler.tokens(start, stop) > budget:
        low, high = start + 1, stop
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if ruler.tokens(start, middle) <= budget else (low, middle - 1)
        stop = low
    if stop < end:
        space = source.rfind(b" ", start + (stop - start) // 2, stop)
        stop = space + 1 if space > 0 else stop
    while stop < end and source[stop] & 0xC0 == 0x80:
        stop -= 1
    return stop if stop > start else min(end, start + 4)


def _tidy(pieces: list[Piece], ruler: Ruler, budget: int, standalone: Callable[[Piece], bool]) -> list[Piece]:
    """Trim, drop the blank, and merge tiny neighbours of one owner; brackets left alone join what they close."""
    done: list[Piece] = []
    for piece in pieces:
        if not _trim(piece, ruler.source):
            continue
        last = done[-1] if done else None
        if last is None or not _joins(last, piece, ruler, budget, standalone):
            done.append(piece)
            continue
        last.merged = last.merged or piece.tokens > 0
        last.end = piece.end
        last.tokens = ruler.tokens(last.start, last.end)
    return done


def _joins(last: Piece, piece: Piece, ruler: Ruler, budget: int, standalone: Callable[[Piece], bool]) -> bool:
    tokens = last.tokens + piece.tokens
    if not ruler.fits(last.start, piece.end, tokens, budget):
        return False
    if piece.tokens == 0:
        return True
    if last.owner != piece.owner or tokens > max(MERGED, last.tokens):
        return False
    return not standalone(piece) and (last.merged or not standalone(last))


def _trim(piece: Piece, source: bytes) -> bool:
    """Shrink to its non-blank bytes; False when there are none. A byte order mark counts as blank."""
    if piece.start == 0 and source.startswith(BOM):
        piece.start = len(BOM)
    text = source[piece.start : piece.end]
    stripped = text.strip(_BLANK)
    if not stripped:
        return False
    piece.start += len(text) - len(text.lstrip(_BLANK))
    piece.end = piece.start + len(stripped)
    return True
